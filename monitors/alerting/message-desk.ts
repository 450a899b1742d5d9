import type { Sink } from '../plan/definition.ts';
import type { DeliveryRecord, RecordBatch } from '../results/results-store.ts';
import { type AlertChange, toJson } from './alert.ts';
import { type AlertMessage, alertMessage, messageEvent } from './message.ts';

/** To be written in the same transaction as the slots it came from. */
export type AlertBatch = Required<
  Pick<RecordBatch, 'events' | 'incidents' | 'deliveries' | 'delivered' | 'states'>
>;

/** Turns the changes of alerts into messages: an event of each, and its way to every sink that takes it. */
export class MessageDesk {
  readonly #sinks: readonly Sink[];
  readonly #accounts: Accounts;
  /** Called with each message as it is raised. */
  onMessage: (message: AlertMessage) => void = () => undefined;

  constructor(sinks: readonly Sink[], accounts: Accounts) {
    this.#sinks = sinks;
    this.#accounts = accounts;
  }

  post(
    changed: readonly AlertChange[],
    now: number,
  ): Pick<AlertBatch, 'events' | 'deliveries' | 'delivered'> {
    const messages = changed.map((change) => alertMessage(change, now));
    for (const message of messages) this.onMessage(message);
    const replaced = new Set(changed.flatMap(({ replaced: ids }) => ids));
    return {
      events: messages.map((message) => messageEvent(message, now)),
      deliveries: messages
        .filter(({ id }) => !replaced.has(id))
        .flatMap((message) => makeDeliveries(message, this.#sinks, this.#accounts, now)),
      delivered: [...replaced].flatMap((id) => this.#sinks.map(({ name }) => deliveryId(id, name))),
    };
  }
}

/** The targets that use a key, by the name of its account. */
type Accounts = ReadonlyMap<string, readonly string[]>;

/** Returns whether a sink takes a message. The severity of an alert never falls, so that it takes its end as well. */
function takes(
  { severity = 'ticket', targets }: Pick<Sink, 'severity' | 'targets'>,
  message: Pick<AlertMessage, 'severity' | 'target' | 'account'>,
  accounts: Accounts,
): boolean {
  if (severity === 'page' && message.severity !== 'page') return false;
  const { target, account } = message;
  const about = target !== undefined ? [target] : account !== undefined ? accounts.get(account) : undefined;
  return !targets || !about || about.some((name) => targets.includes(name));
}

/** Returns a message to each of the sinks that take it; of an alert that became a page, pagers get it as its first. */
function makeDeliveries(
  message: AlertMessage,
  sinks: readonly Sink[],
  accounts: Accounts,
  now: number,
): DeliveryRecord[] {
  return sinks
    .filter((sink) => takes(sink, message, accounts))
    .map(({ name, severity }) => ({
      ...{ id: deliveryId(message.id, name), sink: name, dueAt: now, attempts: 0 },
      message: toJson(
        severity === 'page' && message.kind === 'worsened' ? { ...message, kind: 'fired' } : message,
      ),
    }));
}

/** Returns the id of a message's delivery to a sink. */
function deliveryId(message: string, sink: string): string {
  return `${message}/${encodeURIComponent(sink)}`;
}
