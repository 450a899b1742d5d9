import { setImmediate } from 'node:timers/promises';
import type { SlotRecord } from '../results/probe-record.ts';
import type { EventRecord, Json, QuotaRecord, RecordBatch, ResultsStore } from '../results/results-store.ts';

/** Returns what follows from slots and has to be written with them, or not at all. */
export type Follower = {
  take(
    slots: readonly SlotRecord[],
    now: number,
    evidenceOf: (slot: SlotRecord) => Json | undefined,
    events: readonly EventRecord[],
  ): RecordBatch;
};

/** The results of slots, once they are written. */
export type SettledSlots = {
  readonly slots: readonly SlotRecord[];
  readonly quotas: readonly QuotaRecord[];
  readonly events: readonly EventRecord[];
};

type Note = RecordBatch & { readonly evidence?: Json };

/** Batches that come at one moment, and the transaction that they share. */
type Group = { readonly batches: (() => RecordBatch)[]; readonly written: Promise<void> };

/**
 * Writes slots in their order, each with all that follows from it in one transaction, which those that come at the same
 * moment share: many probes begin in the same second.
 */
export class Recorder {
  readonly #store: Pick<ResultsStore, 'record'>;
  readonly #follower: Follower;
  readonly #onSettled: (settled: SettledSlots) => void;
  #queue: Promise<void> = Promise.resolve();
  #group: Group | undefined;

  constructor(
    store: Pick<ResultsStore, 'record'>,
    follower: Follower,
    onSettled: (settled: SettledSlots) => void,
  ) {
    this.#store = store;
    this.#follower = follower;
    this.#onSettled = onSettled;
  }

  /** Records ended slots; `now` in Unix ms. */
  async settle(slots: readonly SlotRecord[], now: number, { evidence, ...beside }: Note = {}): Promise<void> {
    await this.write(() =>
      mergeTwo(
        { ...beside, slots },
        this.#follower.take(slots, now, () => evidence, beside.events ?? []),
      ),
    );
    this.#onSettled({ slots, quotas: beside.quotas ?? [], events: beside.events ?? [] });
  }

  /** Writes what ends no slot, as it is when its turn has come. */
  write(batch: () => RecordBatch): Promise<void> {
    this.#group ??= this.#next();
    this.#group.batches.push(batch);
    return this.#group.written;
  }

  #next(): Group {
    const batches: Group['batches'] = [];
    // After a failed write nothing more is written, because later records depend on it.
    this.#queue = this.#queue
      .then(() => setImmediate())
      .then(async () => {
        this.#group = undefined;
        for (const recordBatch of mergeBatches(batches.map((batch) => batch())))
          await this.#store.record(recordBatch);
      });
    return { batches, written: this.#queue };
  }
}

/** In as few transactions as possible: a batch drops pins before it writes new ones, but not those of the batch before. */
function mergeBatches(batches: readonly RecordBatch[]): RecordBatch[] {
  const all: RecordBatch[] = [];
  for (const batch of batches) {
    const before = batch.unpinned?.length ? undefined : all.pop();
    all.push(before ? mergeTwo(before, batch) : batch);
  }
  return all;
}

function mergeTwo(one: RecordBatch, other: RecordBatch): RecordBatch {
  return {
    slots: joinItems(one.slots, other.slots),
    events: joinItems(one.events, other.events),
    incidents: joinItems(one.incidents, other.incidents),
    quotas: joinItems(one.quotas, other.quotas),
    pins: joinItems(one.pins, other.pins),
    unpinned: joinItems(one.unpinned, other.unpinned),
    deliveries: joinItems(one.deliveries, other.deliveries),
    postponed: joinItems(one.postponed, other.postponed),
    delivered: joinItems(one.delivered, other.delivered),
    states: { ...one.states, ...other.states },
  };
}

function joinItems<Item>(some: readonly Item[] = [], more: readonly Item[] = []): readonly Item[] {
  return more.length === 0 ? some : [...some, ...more];
}
