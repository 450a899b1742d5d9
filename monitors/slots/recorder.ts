import type { SlotRecord } from '../../results/probe-record.ts';
import type { Batch, EventRecord, Json, QuotaRecord, ResultsStore } from '../../results/results-store.ts';

/** What follows from slots and has to be written with them, or not at all. */
export type Follower = {
  take(
    slots: readonly SlotRecord[],
    now: number,
    evidenceOf: (slot: SlotRecord) => Json | undefined,
    events: readonly EventRecord[],
  ): Batch;
};

/** What a slot brought home, once it is written. */
export type Settled = {
  readonly slots: readonly SlotRecord[];
  readonly quotas: readonly QuotaRecord[];
  readonly events: readonly EventRecord[];
};

type Note = Batch & { readonly evidence?: Json };

/** Writes one slot after the other, each with all that follows from it in one transaction. */
export class Recorder {
  readonly #store: Pick<ResultsStore, 'record'>;
  readonly #follower: Follower;
  readonly #onSettled: (settled: Settled) => void;
  #queue: Promise<void> = Promise.resolve();

  constructor(
    store: Pick<ResultsStore, 'record'>,
    follower: Follower,
    onSettled: (settled: Settled) => void,
  ) {
    this.#store = store;
    this.#follower = follower;
    this.#onSettled = onSettled;
  }

  /** A slot that begins: nothing follows from it yet. */
  announce(slot: SlotRecord, states: Batch['states']): Promise<void> {
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
  write(batch: () => Batch): Promise<void> {
    return this.#next(batch);
  }

  #next(batch: () => Batch): Promise<void> {
    const written = this.#queue.then(() => this.#store.record(batch()));
    // After a failed write nothing more is written: what follows from it would be missing.
    this.#queue = written;
    return written;
  }
}

function merged(one: Batch, other: Batch): Batch {
  return {
    ...one,
    ...other,
    slots: [...(one.slots ?? []), ...(other.slots ?? [])],
    events: [...(one.events ?? []), ...(other.events ?? [])],
    states: { ...one.states, ...other.states },
  };
}
