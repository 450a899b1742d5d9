import type { Sink } from '../plan/definition.ts';
import type { DeliveryRecord, RecordBatch } from '../results/results-store.ts';
import type { Due } from './alert.ts';
import { toJson } from './cause.ts';
import { type AlertMessage, alertMessage, messageEvent } from './message.ts';
import { type Describe, listTargets } from './words.ts';

/** To be written in the same transaction as the slots it came from. */
export type AlertBatch = Required<Pick<RecordBatch, 'events' | 'incidents' | 'deliveries' | 'states'>>;

/** The targets that use a key, by the name of its account. */
type Accounts = ReadonlyMap<string, readonly string[]>;

/** Turns what is due of alerts into messages: an event of each, and its way to every sink that takes it. */
export class MessageRouter {
  readonly #sinks: readonly Sink[];
  readonly #accounts: Accounts;
  readonly #escalation: string | undefined;
  /** Called with each message as it is raised. */
  onMessage: (message: AlertMessage) => void = () => undefined;

  /** @param escalation the sink that gets only what nobody took in time */
  constructor(sinks: readonly Sink[], accounts: Accounts, escalation?: string) {
    this.#sinks = sinks;
    this.#accounts = accounts;
    this.#escalation = escalation;
  }

  post(all: readonly Due[], describe: Describe, now: number): Pick<AlertBatch, 'events' | 'deliveries'> {
    const made = all.map((due) => ({ due, message: alertMessage(due, describe, now) }));
    for (const { message } of made) this.onMessage(message);
    return {
      events: made.map(({ message }) => messageEvent(message, now)),
      deliveries: made.flatMap(({ due, message }) => this.#address(due, message, now)),
    };
  }

  /** Returns a message to each of the sinks that take it; of an alert that became a page, pagers get it as its first. */
  #address(due: Due, message: AlertMessage, now: number): DeliveryRecord[] {
    return this.#sinks
      .filter((sink) => this.#takes(sink, due))
      .map(({ name, severity }) => ({
        ...{ id: `${message.id}/${encodeURIComponent(name)}`, sink: name, dueAt: now, attempts: 0 },
        message: toJson(severity === 'page' && due.isFirstPage ? { ...message, kind: 'fired' } : message),
      }));
  }

  /** Returns whether a sink takes a message. The severity of an alert never falls, so that it takes its end as well. */
  #takes({ name, severity = 'ticket', targets }: Sink, { alert, isEscalation = false }: Due): boolean {
    if (name === this.#escalation ? !alert.isEscalated : isEscalation) return false;
    if (severity === 'page' && alert.severity !== 'page') return false;
    const touches = Object.values(alert.touches);
    if (touches.some(({ subject }) => 'sink' in subject && subject.sink === name)) return false;
    const about = [
      ...listTargets(touches),
      ...touches.flatMap(({ subject }) =>
        'account' in subject ? (this.#accounts.get(subject.account) ?? []) : [],
      ),
    ];
    return !targets || about.length === 0 || about.some((target) => targets.includes(target));
  }
}
