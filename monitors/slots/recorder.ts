import type { SlotRecord } from '../../results/probe-record.ts';
import type {
  EventRecord,
  Json,
  QuotaRecord,
  RecordBatch,
  ResultsStore,
} from '../../results/results-store.ts';

/** What follows from slots and has to be written with them, or not at all. */
export type Follower = {
  take(
    slots: readonly SlotRecord[],
    now: number,
    evidenceOf: (slot: SlotRecord) => Json | undefined,
    events: readonly EventRecord[],
  ): RecordBatch;
};

/** What a slot brought home, once it is written. */
export type SettledSlots = {
  readonly slots: readonly SlotRecord[];
  readonly quotas: readonly QuotaRecord[];
  readonly events: readonly EventRecord[];
};

type Note = RecordBatch & { readonly evidence?: Json };

/** Writes one slot after the other, each with all that follows from it in one transaction. */
export class Recorder {
  readonly #store: Pick<ResultsStore, 'record'>;
  readonly #follower: Follower;
  readonly #onSettled: (settled: SettledSlots) => void;
  #queue: Promise<void> = Promise.resolve();

  constructor(
    store: Pick<ResultsStore, 'record'>,
    follower: Follower,
    onSettled: (settled: SettledSlots) => void,
  ) {
    this.#store = store;
    this.#follower = follower;
    this.#onSettled = onSettled;
  }

  /** A slot that begins: nothing follows from it yet. */
  announce(slot: SlotRecord, states: RecordBatch['states']): Promise<void> {
    return this.#next(() => ({ slots: [slot], ...(states && { states }) }));
  }

  /** Slots as they ended, `now` in Unix ms. */
  async settle(slots: readonly SlotRecord[], now: number, { evidence, ...beside }: Note = {}): Promise<void> {
    await this.#next(() =>
      merged(
        { ...beside, slots },
        this.#follower.take(slots, now, () => evidence, beside.events ?? []),
      ),
    );
    this.#onSettled({ slots, quotas: beside.quotas ?? [], events: beside.events ?? [] });
  }

  /** What follows from the time alone. */
  write(batch: () => RecordBatch): Promise<void> {
    return this.#next(batch);
  }

  #next(batch: () => RecordBatch): Promise<void> {
    const written = this.#queue.then(() => this.#store.record(batch()));
    // After a failed write nothing more is written: what follows from it would be missing.
    this.#queue = written;
    return written;
  }
}

function merged(one: RecordBatch, other: RecordBatch): RecordBatch {
  return {
    ...one,
    ...other,
    slots: [...(one.slots ?? []), ...(other.slots ?? [])],
    events: [...(one.events ?? []), ...(other.events ?? [])],
    states: { ...one.states, ...other.states },
  };
}
