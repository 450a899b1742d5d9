import { performance } from 'node:perf_hooks';
import type { Sink } from '../plan/definition.ts';
import type { DeliveryRecord, RecordBatch, ResultsStore } from '../results/results-store.ts';
import {
  condense,
  firstDue,
  lastRaised,
  listQueues,
  pause,
  type Queue,
  queueName,
  readMessage,
} from './delivery-queue.ts';
import type { AlertMessage } from './message.ts';
import { type Send, send } from './send.ts';
import { SinkHealth } from './sink-health.ts';

/** Later than any instant, Unix ms. */
const endOfTime = 8.64e15;
/**
 * Tries after which a message that still fails is given up, however the clock is set meanwhile: seven pauses that
 * make an hour together and 23 of an hour each are about a day.
 */
const mostTries = 31;
/** Messages that are under way to one sink at once: more would be an attack on it. */
const mostAtOnce = 8;

/** The part of a store that holds the outbox. */
export type OutboxStore = Pick<ResultsStore, 'dueDeliveries' | 'record' | 'claimDelivery'>;

export type DeliveryOptions = {
  /** Aborts deliveries under way; their messages stay in the outbox. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly send?: Send;
  /** Returns a message as it is at an instant (Unix ms): its alert may have changed since it was due. */
  readonly remake?: (message: AlertMessage, now: number) => AlertMessage;
};

/**
 * Empties the outbox: a queue for each alert at each sink, so that no alert waits for another one and no sink for
 * another. The caller may call again at any time. A process that ends between sending and marking sends a message
 * again, with the same id.
 */
export class Outbox {
  readonly health = new SinkHealth();
  readonly #store: OutboxStore;
  readonly #sinks: ReadonlyMap<string, Sink>;
  readonly #options: Required<DeliveryOptions>;
  readonly #busy = new Set<string>();
  readonly #underWay = new Map<string, number>();
  #isReading = false;
  /** Ms by which the clock was set since this began. */
  #moved = 0;

  constructor(store: OutboxStore, sinks: readonly Sink[], options: DeliveryOptions) {
    this.#store = store;
    this.#sinks = new Map(sinks.map((sink) => [sink.name, sink]));
    this.#options = { send, remake: (message) => message, ...options };
  }

  /** Sends what is due at `now` (Unix ms). Resolves when all was tried; rejects only if the store does. */
  async deliverDue(now: number): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const busy = new Set(this.#busy);
    const waiting = await this.#store.dueDeliveries(endOfTime).finally(() => {
      this.#isReading = false;
    });
    // A queue that was busy as the reading began may have delivered some of it since.
    const free = waiting.filter((record) => !busy.has(queueName(record)));
    const due = listQueues(free)
      .filter((queue) => firstDue(queue) <= now)
      .toSorted((one, other) => lastRaised(one).localeCompare(lastRaised(other)));
    const bySink = Map.groupBy(due, ([first]) => first?.sink ?? '');
    await Promise.all([...bySink].map(([sink, queues]) => this.#deliverTo(sink, queues, now)));
  }

  /** Shifts all instants after the clock was set by some ms: setting it back must not delay waiting messages. */
  async shift(by: number): Promise<void> {
    this.#moved += by;
    this.health.shift(by);
    if (by > 0) return;
    const all = await this.#store.dueDeliveries(endOfTime);
    const waiting = all.filter((record) => !this.#busy.has(queueName(record)));
    const postponed = waiting.map((record) => ({ ...record, dueAt: record.dueAt + by }));
    if (postponed.length > 0) await this.#store.record({ postponed });
  }

  /** Serves the queues of a sink with as many workers as it has left. */
  async #deliverTo(sink: string, queues: readonly Queue[], now: number): Promise<void> {
    const begun = performance.now();
    const left = queues.filter(([first]) => first && !this.#busy.has(queueName(first)));
    const work = async (): Promise<void> => {
      for (let queue = left.shift(); queue; queue = left.shift()) {
        if (this.#options.signal.aborted || this.health.isHeld(sink, now)) return;
        await this.#serve(queue, now, begun);
      }
    };
    const underWay = this.#underWay.get(sink) ?? 0;
    const workers = Math.min(left.length, mostAtOnce - underWay);
    this.#underWay.set(sink, underWay + workers);
    try {
      await Promise.all(Array.from({ length: workers }, work));
    } finally {
      this.#underWay.set(sink, (this.#underWay.get(sink) ?? 0) - workers);
    }
  }

  async #serve(queue: Queue, now: number, begun: number): Promise<void> {
    const [first] = queue;
    const name = first && queueName(first);
    if (name === undefined || this.#busy.has(name)) return;
    this.#busy.add(name);
    try {
      for (let rest = queue; rest.length > 0; ) {
        const { next, dropped } = condense(rest) ?? {};
        if (!next) return;
        rest = rest.filter(({ id }) => id !== next.id && !dropped?.some((record) => record.id === id));
        if (!(await this.#deliver(next, dropped ?? [], rest, now, begun)) || this.#options.signal.aborted)
          return;
      }
    } finally {
      this.#busy.delete(name);
    }
  }

  /** Resolves to whether it is done. Reads the time again for each message, because receivers refuse a signature with an old timestamp. */
  async #deliver(
    due: DeliveryRecord,
    dropped: Queue,
    later: Queue,
    now: number,
    begun: number,
  ): Promise<boolean> {
    const { signal, environment, remake } = this.#options;
    const moved = this.#moved;
    const record = this.#store.claimDelivery ? await this.#store.claimDelivery(due) : due;
    // Another location sends it, and what is newer must wait for that.
    if (record === undefined) return false;
    const sink = this.#sinks.get(record.sink);
    const at = now + performance.now() - begun;
    const message = remake(readMessage(record.message), at);
    let wanted: number | undefined;
    const onBusy = (ms: number): void => {
      wanted = ms;
    };
    const reason = sink
      ? await this.#options.send(sink, message, { signal, environment, now: at, onBusy })
      : 'no sink has this name any more';
    if (reason !== undefined && signal.aborted) return false;
    const end = now + this.#moved - moved;
    this.health.note(record.sink, reason, end, wanted);
    const given = dropped.map(({ id }) => id);
    if (reason === undefined) {
      await this.#store.record({
        delivered: [record.id, ...given],
        events: [sentEvent(message, record.sink, end)],
      });
      return true;
    }
    const failed = retriedDelivery(record, later, { reason, isFinal: sink === undefined, wanted }, end);
    await this.#store.record({ ...failed, delivered: [...(failed.delivered ?? []), ...given] });
    return sink === undefined;
  }
}

/** Says when a sink took a message. */
function sentEvent({ id, kind, target }: AlertMessage, sink: string, at: number) {
  return {
    at,
    kind: 'message-sent',
    ...(target !== undefined && { target }),
    detail: { id, sink, message: kind },
  };
}

/**
 * Tried again after twice the pause, and `later` ones with it; a message for a sink that is gone is given up at once. One
 * that gave way to a newer message of its alert meanwhile is not put back.
 */
function retriedDelivery(
  record: DeliveryRecord,
  later: Queue,
  {
    reason,
    isFinal,
    wanted,
  }: { readonly reason: string; readonly isFinal: boolean; readonly wanted?: number | undefined },
  now: number,
): RecordBatch {
  const { target, id } = readMessage(record.message);
  const { sink, attempts } = record;
  const isOver = isFinal || attempts + 1 >= mostTries;
  if (!isOver) {
    const dueAt = now + pause(attempts, wanted);
    return {
      postponed: [{ ...record, attempts: attempts + 1, dueAt }, ...later.map((one) => ({ ...one, dueAt }))],
    };
  }
  const detail = { id, sink, attempts: attempts + 1, reason };
  const where = target === undefined ? {} : { target };
  const event = { at: now, kind: 'delivery-failed', ...where, detail };
  return { delivered: [record.id], events: [event] };
}
