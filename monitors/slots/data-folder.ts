import { accessSync, constants, statSync } from 'node:fs';
import { type Condition, ownFamily } from '../alerting/cause.ts';
import { formatMinute } from '../alerting/coverage-conditions.ts';
import type { Clock } from '../probes/clock.ts';
import type { ResultsStore } from '../results/results-store.ts';
import { StoreError } from '../results/store-error.ts';

/** Ms of a write, the mean of the last few, from which slots come late, and below which the disk is fast again. */
const slowMs = 1000;
const fastMs = 500;
const fewest = 5;

/** Watches the folder of the results: whether it is where it was, and how long its disk takes for a write. */
export class DataFolder {
  readonly #file: string;
  readonly #clock: Pick<Clock, 'now' | 'steady'>;
  readonly #opened: number;
  readonly #access: typeof accessSync;
  #lost: number | undefined;
  #writes: readonly number[] = [];
  #slow: number | undefined;

  /** @param file its database, which must exist */
  constructor(file: string, clock: Pick<Clock, 'now' | 'steady'>, access = accessSync) {
    this.#file = file;
    this.#clock = clock;
    this.#access = access;
    this.#opened = statSync(file).ino;
  }

  /** Returns why what is written would not be found again; undefined if it will be. */
  findTrouble(): string | undefined {
    const found = statSync(this.#file, { throwIfNoEntry: false });
    if (found?.ino !== this.#opened) return 'its data folder is moved away or replaced';
    try {
      this.#access(this.#file, constants.W_OK);
      return undefined;
    } catch {
      return 'its data folder may only be read';
    }
  }

  /** Rejects if the store cannot be written at present, or if what is written would not be found again. */
  async tryStore(store: Pick<ResultsStore, 'record'>): Promise<void> {
    const trouble = this.findTrouble();
    if (trouble !== undefined) throw new StoreError(trouble);
    await store.record({ states: { health: this.#clock.now() } });
  }

  /** Returns the store with its writes measured. */
  measure(store: ResultsStore): ResultsStore {
    return {
      ...store,
      record: async (batch) => {
        const begun = this.#clock.steady();
        await store.record(batch);
        this.#note(this.#clock.steady() - begun);
      },
    };
  }

  /** Returns both conditions at `now` (Unix ms). */
  conditions(location: string, now: number): Condition[] {
    const trouble = this.findTrouble();
    this.#lost = trouble === undefined ? undefined : (this.#lost ?? now);
    const [lost = now, slow = now] = [this.#lost, this.#slow];
    const seconds = (this.#mean / 1000).toFixed(1);
    const subject = { monitor: location };
    return [
      {
        ...{ source: 'folder', subject, severity: 'page', family: 'folder' },
        ...{ holds: trouble !== undefined, began: lost },
        words: () =>
          `${trouble} since ${formatMinute(lost)}: what is written now will not be found again\ndo: put it back where it was, or restart the monitor with the folder that it has to write`,
      },
      {
        // Whatever it keeps from being judged has one cause.
        ...{ source: 'slow-disk', subject, severity: 'ticket', family: ownFamily },
        ...{ holds: this.#slow !== undefined, began: slow },
        words: () =>
          `its disk takes ${seconds} s for a write since ${formatMinute(slow)}: slots come late\ndo: move its data folder to another disk, or find out what keeps this one busy`,
      },
    ];
  }

  get #mean(): number {
    return this.#writes.reduce((sum, ms) => sum + ms, 0) / Math.max(1, this.#writes.length);
  }

  #note(ms: number): void {
    this.#writes = [...this.#writes, ms].slice(-fewest);
    const isSlow = this.#writes.length === fewest && this.#mean >= slowMs;
    if (isSlow) this.#slow ??= this.#clock.now();
    else if (this.#mean < fastMs) this.#slow = undefined;
  }
}
