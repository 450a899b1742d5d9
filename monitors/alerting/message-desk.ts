import type { RecordBatch } from '../../results/results-store.ts';
import type { Sink } from '../plan/definition.ts';
import type { AlertChange } from './alert.ts';
import { type AlertMessage, alertMessage, messageEvent } from './message.ts';
import { type Accounts, deliveryId, makeDeliveries } from './routing.ts';

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
