import type { Definition } from '../plan/definition.ts';
import type { DeliveryRecord, EventRecord, RecordBatch } from '../results/results-store.ts';
import { formatMoment } from '../slots/time-watch.ts';
import { AlertBook } from './alert-book.ts';
import type { Condition } from './cause.ts';
import { Outbox, type OutboxStore } from './deliver.ts';
import { MessageRouter } from './message-router.ts';
import { type SendOptions, send as usualSend } from './send.ts';

/** Ms for which the disk must be full before an alert is sent: where logs are rotated, there is room again within seconds. */
const patienceMs = 30_000;

/** Spans of a full disk that are remembered: a slot is settled soon after it was due. */
const mostSpans = 20;

/** Called with the time at which the disk became full, and with undefined when it has room again. */
type Listener = (since: number | undefined) => void;

/** The source of alerts about a full disk. Its alert and its outbox are kept in memory: no store could hold them. */
export class DiskAlarm {
  readonly #definition: Pick<Definition, 'location' | 'alerting'>;
  readonly #book: AlertBook;
  readonly #router: MessageRouter;
  readonly #store = memoryOutbox();
  readonly #send: typeof usualSend;
  #outbox: Outbox | undefined;
  #spans: readonly { readonly from: number; readonly to: number }[] = [];
  #since: number | undefined;
  #events: readonly EventRecord[] = [];
  #listener: Listener = () => undefined;

  constructor(definition: Pick<Definition, 'location' | 'alerting'>, send = usualSend) {
    this.#definition = definition;
    const policy = { collect: 0, reminder: definition.alerting.reminder };
    this.#book = new AlertBook(definition.location, policy, { groups: {}, parents: {} });
    this.#router = new MessageRouter({ sinks: definition.alerting.sinks });
    this.#send = send;
  }

  onChange(listener: Listener): void {
    this.#listener = listener;
  }

  /** The store takes nothing from `now` (Unix ms) on. */
  onFull(now: number): void {
    this.#since = now;
    this.#listener(now);
  }

  onRoom(now: number): void {
    if (this.#since === undefined) return;
    const span = { from: this.#since, to: now };
    this.#spans = [...this.#spans, span].slice(-mostSpans);
    this.#since = undefined;
    const detail = { location: this.#definition.location, words: describeOutage(span) };
    this.#events = [...this.#events, { at: now, kind: 'disk-full', detail }];
    this.#judge(now);
    this.#listener(undefined);
  }

  /** Returns why a slot (Unix ms) could not run; undefined if the disk had room. */
  explainMiss(slot: number): string | undefined {
    const span = this.#spans.findLast(({ from, to }) => slot >= from && slot <= to);
    if (span) return describeOutage(span);
    return this.#since !== undefined && slot >= this.#since
      ? `the disk is full since ${formatMoment(this.#since)}`
      : undefined;
  }

  /** Returns the events to write once there is room. */
  takeEvents(): readonly EventRecord[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Must be called every second, even while writes wait for the disk. Never rejects. */
  async tick({ now, signal, environment }: SendOptions): Promise<void> {
    const { sinks } = this.#definition.alerting;
    this.#outbox ??= new Outbox(this.#store, sinks, { signal, environment, send: this.#send });
    this.#judge(now);
    await this.#outbox.deliverDue(now);
  }

  #judge(now: number): void {
    const condition = this.#condition(now);
    this.#book.hold(condition, now);
    const describe = () => ({ words: condition.words(now) });
    const { events, ...deliveries } = this.#router.post(this.#book.advance(now, true), describe, now);
    if (events.length > 0) void this.#store.record(deliveries);
    this.#events = [...this.#events, ...events];
  }

  #condition(now: number): Condition {
    const { location } = this.#definition;
    const since = this.#since ?? now;
    const isKnown = this.#book.find({ source: 'disk', subject: { monitor: location } }) !== undefined;
    return {
      source: 'disk',
      subject: { monitor: location },
      holds: this.#since !== undefined && (isKnown || now - since >= patienceMs),
      severity: 'page',
      family: 'disk',
      words: () =>
        `its disk is full since ${formatMoment(since)}: it writes nothing, and looks at no target\ndo: make room where its results are kept`,
      began: since,
    };
  }
}

function describeOutage({ from, to }: { readonly from: number; readonly to: number }): string {
  return `the disk was full from ${formatMoment(from)} to ${formatMoment(to)}`;
}

/** Returns an outbox without a disk. */
function memoryOutbox(): OutboxStore {
  const waiting = new Map<string, DeliveryRecord>();
  return {
    dueDeliveries: async (now) => [...waiting.values()].filter(({ dueAt }) => dueAt <= now),
    record: async ({ deliveries = [], postponed = [], delivered = [] }: RecordBatch) => {
      for (const delivery of deliveries) waiting.set(delivery.id, delivery);
      for (const delivery of postponed) if (waiting.has(delivery.id)) waiting.set(delivery.id, delivery);
      for (const id of delivered) waiting.delete(id);
    },
  };
}
