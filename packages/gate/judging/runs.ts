import {
  Detector,
  type DetectorKind,
  type Doubt,
  findPlaceFrom,
  type HeldPlace,
  HeldPlaces,
  type Words,
} from './detector.ts';
import type { Ranges } from './ranges.ts';
import { capacity, type RowWindow } from './row-window.ts';

/** Consecutive rows with a property. */
export type RowRun = HeldPlace & {
  /** The value of its last row, and the number of its rows that are marked. */
  readonly value: number;
  readonly marked: number;
};

/** Numbers of rows of a table, of those with the property, and of runs of them; and of runs by their rows. */
export type RunCounts = { rows: number; alike: number; runs: number; readonly lengths: Uint32Array };

/** Longer runs count as the longest. */
export const maxCounted = 4096;

/** Counts the runs of so many rows and more. */
export function countRuns(lengths: Uint32Array, rows: number): number {
  const from = Math.min(maxCounted, Math.ceil(rows));
  return lengths.subarray(from).reduce((sum, runs) => sum + runs, 0);
}

/** A property of rows, and the runs of it that are suspected. */
export type RunKind = {
  readonly doubt: Doubt;
  /** Rows of a run before the first that has the property: that which others repeat. */
  readonly lead: number;
  /** Rows that a run needs, and marked ones among them. */
  readonly fewest: number;
  readonly fewestMarked?: number;
  /** True if only runs between rows without the property tell. */
  readonly isBetween?: boolean;
  readonly open: (window: RowWindow, found: Ranges) => OpenRuns;
};

export type OpenRuns = {
  /** Sets a flag for each row with the property. */
  readonly flag: (from: number, to: number, flags: Uint8Array) => void;
  /** The value of each row by its position; the close if omitted. */
  readonly values?: Float64Array;
  /** Returns whether a row is marked; `rows` are those of its run so far. */
  readonly marks?: (at: number, rows: number) => boolean;
  /** Words a run once the whole table is known; undefined if nothing is against it. */
  readonly judge: (run: RowRun, counts: RunCounts) => Words | undefined;
  /** Reports what only the end of the table decides. */
  readonly end?: () => void;
};

/** Returns the detector of runs of a kind. */
export function findRuns(kind: RunKind): DetectorKind {
  return class extends Runs {
    static readonly doubts = [kind.doubt];

    constructor(window: RowWindow, found: Ranges) {
      super(kind, window, found);
    }
  };
}

/** Finds the runs of a kind. One class for all kinds, since V8 looks up the members of each class anew. */
class Runs extends Detector {
  readonly #kind: RunKind;
  readonly #runs: OpenRuns;
  /** All 0 between blocks. One more than there are rows, so that a search ends. */
  readonly #flags = Buffer.alloc(capacity + 1);
  readonly #counts: RunCounts = { rows: 0, alike: 0, runs: 0, lengths: new Uint32Array(maxCounted + 1) };
  readonly #held = new HeldPlaces<RowRun>();
  /** The rows of the run so far, those that are marked, and the first of them; rows are 0 without a run. */
  #rows = 0;
  #marked = 0;
  #start = 0;
  #line = 0;

  constructor(kind: RunKind, window: RowWindow, found: Ranges) {
    super(window, found);
    this.#kind = kind;
    this.#runs = kind.open(window, found);
  }

  judge(from: number, to: number): void {
    const flags = this.#flags;
    const { lead, isBetween = false } = this.#kind;
    this.#runs.flag(Math.max(lead, from), to, flags);
    flags[to] = 1;
    for (let at = from; at < to; at++) {
      if (flags[at] === 1) {
        flags[at] = 0;
        this.#extend(at);
      } else if (this.#rows > 0) this.#finish(at, !isBetween || this.#line !== this.window.first.line);
      else {
        // Most kinds have no run in most rows.
        at = flags.indexOf(1, at) - 1;
      }
    }
    flags[to] = 0;
  }

  end(): void {
    this.#runs.end?.();
    const counts = this.#counts;
    counts.rows = this.window.rows;
    // Rows beside runs count as runs without a row that has the property.
    counts.lengths[0] = counts.rows - counts.alike - counts.runs;
    if (this.#rows > 0) this.#finish(this.window.count, !this.#kind.isBetween);
    for (const run of this.#held.all) {
      const words = this.#runs.judge(run, counts);
      if (words) this.suspect(this.#kind.doubt, run, words);
    }
  }

  #extend(at: number): void {
    this.#counts.alike++;
    if (this.#rows++ === 0) {
      const { start, line } = this.window.columns;
      const { lead } = this.#kind;
      this.#start = start[at - lead] as number;
      this.#line = line[at - lead] as number;
      this.#rows += lead;
      this.#marked = 0;
    }
    if (this.#runs.marks?.(at, this.#rows)) this.#marked++;
  }

  /** Ends a run whose last row is before a position. */
  #finish(end: number, isKept: boolean): void {
    const { lengths } = this.#counts;
    const { fewest, fewestMarked = 0 } = this.#kind;
    const [rows, marked] = [this.#rows, this.#marked];
    this.#rows = 0;
    this.#counts.runs++;
    const length = Math.min(rows, maxCounted);
    lengths[length] = (lengths[length] as number) + 1;
    if (!isKept || rows < fewest || marked < fewestMarked) return;
    const { values = this.window.columns.close } = this.#runs;
    const place = findPlaceFrom({ start: this.#start, line: this.#line }, this.window, end - 1, rows);
    this.#held.add({ ...place, value: values[end - 1] as number, marked });
  }
}
