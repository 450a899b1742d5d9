import type { Alerting, Sink } from '../plan/definition.ts';
import type { DeliveryRecord, RecordBatch } from '../results/results-store.ts';
import type { Due } from './alert.ts';
import { toJson } from './cause.ts';
import { type AlertMessage, alertMessage, messageEvent } from './message.ts';
import { type Describe, listTargets } from './words.ts';

/** To be written in the same transaction as the slots it came from. */
export type AlertBatch = Required<Pick<RecordBatch, 'events' | 'incidents' | 'deliveries' | 'states'>>;

/** The keys of a monitor by their accounts' names: whether others use one by agreement, and the targets that use it. */
export type AlertKeys = ReadonlyMap<
  string,
  { readonly isShared: boolean; readonly targets: readonly string[] }
>;

/** Turns what is due of alerts into messages: an event of each, and its way to every sink that takes it. */
export class MessageRouter {
  readonly #alerting: Pick<Alerting, 'sinks' | 'escalation'>;
  readonly #keys: AlertKeys;
  /** Called with each message as it is raised. */
  onMessage: (message: AlertMessage) => void = () => undefined;

  /** @param alerting the sinks; that of its escalation gets only what nobody took in time */
  constructor(alerting: Pick<Alerting, 'sinks' | 'escalation'>, keys: AlertKeys = new Map()) {
    this.#alerting = alerting;
    this.#keys = keys;
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
    return this.#alerting.sinks
      .filter((sink) => this.#takes(sink, due))
      .map(({ name, severity }) => ({
        ...{ id: `${message.id}/${encodeURIComponent(name)}`, sink: name, dueAt: now, attempts: 0 },
        message: toJson(severity === 'page' && due.isFirstPage ? { ...message, kind: 'fired' } : message),
      }));
  }

  /** Returns whether a sink takes a message. The severity of an alert never falls, so that it takes its end as well. */
  #takes({ name, severity = 'ticket', targets }: Sink, { alert, isEscalation = false }: Due): boolean {
    if (name === this.#alerting.escalation?.sink ? !alert.isEscalated : isEscalation) return false;
    if (severity === 'page' && alert.severity !== 'page') return false;
    const touches = Object.values(alert.touches);
    if (touches.some(({ subject }) => 'sink' in subject && subject.sink === name)) return false;
    const about = [
      ...listTargets(touches),
      ...touches.flatMap(({ subject }) =>
        'account' in subject ? (this.#keys.get(subject.account)?.targets ?? []) : [],
      ),
    ];
    return !targets || about.length === 0 || about.some((target) => targets.includes(target));
  }
}
