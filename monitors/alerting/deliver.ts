import { performance } from 'node:perf_hooks';
import type { Sink } from '../plan/definition.ts';
import type { DeliveryRecord, RecordBatch, ResultsStore } from '../results/results-store.ts';
import type { AlertMessage } from './message.ts';
import { type Send, send } from './send.ts';

const hour = 3_600_000;
const firstPause = 30_000;
const longestPause = hour;
/** Later than any instant, Unix ms. */
const endOfTime = 8.64e15;
/** Tries after which a message that still fails is given up: about a day, however the clock is set meanwhile. */
const mostTries = 31;

/** The messages of one sink about one thing, in order. */
type Thread = readonly DeliveryRecord[];

/** The part of a store that holds the outbox. */
export type OutboxStore = Pick<ResultsStore, 'dueDeliveries' | 'record' | 'claimDelivery'>;

export type DeliveryOptions = {
  /** Aborts deliveries under way; their messages stay in the outbox. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly send?: Send;
};

/**
 * Empties the outbox. Sinks are served independently: one that is slow or broken holds up neither the others nor the
 * caller, who may call again at any time. A process that ends between sending and marking sends a message again, with
 * the same id.
 */
export class Outbox {
  readonly #store: OutboxStore;
  readonly #sinks: ReadonlyMap<string, Sink>;
  readonly #options: Required<DeliveryOptions>;
  readonly #busy = new Set<string>();
  #isReading = false;
  /** Ms by which the clock was set since this began. */
  #moved = 0;

  constructor(store: OutboxStore, sinks: readonly Sink[], options: DeliveryOptions) {
    this.#store = store;
    this.#sinks = new Map(sinks.map((sink) => [sink.name, sink]));
    this.#options = { send, ...options };
  }

  /**
   * Sends the messages due at `now` (Unix ms): sinks concurrently, messages of one sink in order. One that is not due
   * goes before a newer one about the same. Resolves when all were tried; rejects only if the store does.
   */
  async deliverDue(now: number): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const busy = new Set(this.#busy);
    const due = await this.#store.dueDeliveries(endOfTime).finally(() => {
      this.#isReading = false;
    });
    // A sink that was busy as the reading began may have delivered some of it since.
    const free = due.filter(({ sink }) => !busy.has(sink));
    const bySink = Map.groupBy(dueThreads(free, now), ([first]) => first?.sink ?? '');
    await Promise.all([...bySink].map(([name, threads]) => this.#deliverTo(name, threads, now)));
  }

  /** Shifts all instants after the clock was set by some ms: setting it back must not delay waiting messages. */
  async shift(by: number): Promise<void> {
    this.#moved += by;
    if (by > 0) return;
    const waiting = (await this.#store.dueDeliveries(endOfTime)).filter(({ sink }) => !this.#busy.has(sink));
    const postponed = waiting.map((record) => ({ ...record, dueAt: record.dueAt + by }));
    if (postponed.length > 0) await this.#store.record({ postponed });
  }

  async #deliverTo(name: string, threads: readonly Thread[], now: number): Promise<void> {
    this.#busy.add(name);
    const begun = performance.now();
    try {
      for (const thread of threads) {
        for (const [index, record] of thread.entries()) {
          const isTaken = await this.#deliver(record, thread.slice(index + 1), now, begun);
          // Another location sends it, and what is newer must wait for that.
          if (isTaken === undefined) break;
          // One that does not answer is not sent every message: the others wait for the next round.
          if (!isTaken || this.#options.signal.aborted) return;
        }
      }
    } finally {
      this.#busy.delete(name);
    }
  }

  /** Resolves to undefined if it is not ours to send. Reads the time again for each message, because receivers refuse a signature with an old timestamp. */
  async #deliver(
    due: DeliveryRecord,
    later: Thread,
    now: number,
    begun: number,
  ): Promise<boolean | undefined> {
    const { signal, environment } = this.#options;
    const moved = this.#moved;
    const record = this.#store.claimDelivery ? await this.#store.claimDelivery(due) : due;
    if (record === undefined) return undefined;
    const sink = this.#sinks.get(record.sink);
    const message = record.message as unknown as AlertMessage;
    const reason = sink
      ? await this.#options.send(sink, message, { signal, environment, now: now + performance.now() - begun })
      : 'no sink has this name any more';
    if (reason !== undefined && signal.aborted) return false;
    await this.#store.record(
      reason === undefined
        ? { delivered: [record.id] }
        : retriedDelivery(record, later, { reason, isFinal: sink === undefined }, now + this.#moved - moved),
    );
    return reason === undefined || sink === undefined;
  }
}

/**
 * Tried again after twice the pause, and `later` ones with it; a message for a sink that is gone is given up at once. One
 * that gave way to a newer message of its alert meanwhile is not put back.
 */
function retriedDelivery(
  record: DeliveryRecord,
  later: Thread,
  { reason, isFinal }: { readonly reason: string; readonly isFinal: boolean },
  now: number,
): RecordBatch {
  const { target, id } = record.message as unknown as AlertMessage;
  const { sink, attempts } = record;
  const isOver = isFinal || attempts + 1 >= mostTries;
  if (!isOver) {
    const pause = Math.min(longestPause, firstPause * 2 ** attempts);
    const dueAt = now + pause;
    return {
      postponed: [{ ...record, attempts: attempts + 1, dueAt }, ...later.map((one) => ({ ...one, dueAt }))],
    };
  }
  const detail = { id, sink, attempts: attempts + 1, reason };
  const event = { at: now, kind: 'delivery-failed', target, detail };
  return { delivered: [record.id], events: [event] };
}

/** Returns the threads of which a message is due, the longest due first. */
function dueThreads(waiting: readonly DeliveryRecord[], now: number): Thread[] {
  const firstDue = (thread: Thread): number => Math.min(...thread.map((record) => record.dueAt));
  return [...Map.groupBy(waiting, threadName).values()]
    .filter((thread) => firstDue(thread) <= now)
    .toSorted((one, other) => firstDue(one) - firstDue(other))
    .map((thread) => thread.toSorted((one, other) => readNumber(one) - readNumber(other)));
}

function threadName({ id, sink, message }: DeliveryRecord): string {
  const { alert, indicator, notice, target, account, location } = message as unknown as AlertMessage;
  return JSON.stringify(
    alert === undefined ? [sink, id] : [sink, indicator ?? notice, target, account, location],
  );
}

function readNumber({ message }: DeliveryRecord): number {
  return (message as unknown as AlertMessage).number ?? 0;
}
