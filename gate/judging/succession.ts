import { stamp } from '../../contract/document/interval.ts';
import type { TableRow } from '../reading/table-row.ts';
import { type Grid, slotOf } from './grid.ts';
import type { MissingIntervals } from './missing-intervals.ts';
import type { Ranges } from './ranges.ts';

export const orderRule = 'history/one-order';
export const gridRules = ['history/aligned', 'history/contiguous'] as const;
export const singleRule = 'history/one-candle-per-interval';

/** Takes each row that stands in its place, with the start that it stands for. */
export type TakePlaced = (row: TableRow, slot: number) => void;

/**
 * The rows of one table in their succession: on the grid, in order, one for each interval. A row that leaps ahead waits
 * for the two after it, which tell whether it is out of place or there is a gap; no more of the table is kept.
 */
export class Succession {
  readonly #grid: Grid;
  readonly #gaps: MissingIntervals;
  readonly #found: Ranges;
  readonly #take: TakePlaced;
  #last = Number.NaN;
  #lastStart = Number.NaN;
  #first = Number.NaN;
  #held: TableRow[] = [];
  /** Rows since the last one in place that stand elsewhere: each leaves an interval empty, which is no gap as well. */
  #strays = 0;

  readonly #now: number;

  /** `now` in Unix seconds: nothing is missing before a row of the future. */
  constructor(grid: Grid, now: number, gaps: MissingIntervals, found: Ranges, take: TakePlaced) {
    this.#now = now;
    this.#grid = grid;
    this.#gaps = gaps;
    this.#found = found;
    this.#take = take;
  }

  next(row: TableRow): void {
    const { length, direction } = this.#grid;
    // The usual step, from a start in its place: nothing else is to be looked at.
    if (row.start - this.#last === length * direction && this.#held.length === 0) {
      this.#place(row, row.start);
      return;
    }
    const slot = slotOf(row.start, this.#grid);
    if (Number.isNaN(slot)) this.#offGrid(row);
    else if (this.#held.length > 0) this.#afterLeap(row, slot);
    else this.#step(row, slot);
  }

  end(): void {
    const held = this.#held;
    this.#held = [];
    const [leap, ...others] = held;
    if (leap) this.#accept(leap, slotOf(leap.start, this.#grid));
    for (const other of others) this.#step(other, slotOf(other.start, this.#grid));
    if (this.#held.length > 0) this.end();
    this.#gaps.end();
  }

  #step(row: TableRow, slot: number): void {
    const step = (slot - this.#last) * this.#grid.direction;
    if (step <= 0) this.#behind(row, slot);
    // The first row of all may be the one out of place, too.
    else if (Number.isNaN(step) || step > this.#grid.length) this.#held = [{ ...row }];
    else this.#accept(row, slot);
  }

  /** Rows after one that leapt ahead. */
  #afterLeap(row: TableRow, slot: number): void {
    const { direction } = this.#grid;
    const [leap, between] = this.#held as [TableRow, TableRow?];
    const ahead = slotOf(leap.start, this.#grid);
    if ((slot - ahead) * direction >= 0 || (slot - this.#last) * direction <= 0) {
      this.#held = [];
      this.#accept(leap, ahead);
      if (between) this.#swapped(between, leap);
      this.#step(row, slot);
    } else if (between === undefined) this.#held.push({ ...row });
    else {
      this.#held = [];
      this.#strays++;
      this.#misplaced(leap, leap.start, leap.start);
      this.next(between);
      this.next(row);
    }
  }

  /** The order of two neighbours: nothing decides which of them is wrong. */
  #swapped(row: TableRow, leap: TableRow): void {
    const slot = slotOf(row.start, this.#grid);
    this.#gaps.fill(slot);
    this.#misplaced(row, Math.min(row.start, leap.start), Math.max(row.start, leap.start), leap.start);
  }

  /** At or before a start that was there already. */
  #behind(row: TableRow, slot: number): void {
    const isSame = slot === this.#last;
    const { direction } = this.#grid;
    if (!isSame && this.#gaps.fill(slot)) {
      this.#misplaced(row, row.start, row.start, this.#lastStart);
    } else if (!isSame && (slot - this.#first) * direction < 0) this.#alone(row);
    else if (!isSame && slot * direction <= this.#gaps.settledTo) this.#alone(row);
    else this.#duplicate(row);
  }

  /** It belongs to none of the intervals around it. */
  #alone(row: TableRow): void {
    this.#strays++;
    this.#misplaced(row, row.start, row.start, this.#lastStart);
  }

  #duplicate(row: TableRow): void {
    const { start, line } = row;
    this.#found.add({
      ...{ from: start, to: start + this.#grid.length, line, kind: 'duplicate', certainty: 'breach' },
      ...{ rules: [singleRule], detail: `${stamp(start)} had its row already` },
    });
  }

  #offGrid(row: TableRow): void {
    const { length, phase } = this.#grid;
    const isTooNear = Math.abs(row.start - this.#lastStart) < length;
    this.#strays++;
    this.#found.add({
      ...{ from: row.start, to: row.start + length, line: row.line, kind: 'misplaced', certainty: 'breach' },
      rules: gridRules,
      detail: `a start ${phase} s after a multiple of ${length} s was expected, ${stamp(row.start)} is there${isTooNear ? ', too near to the row before' : ''}`,
    });
  }

  #misplaced(row: TableRow, from: number, last: number, after?: number): void {
    const words = this.#grid.direction === 1 ? 'ascending' : 'descending';
    this.#found.add({
      ...{ from, to: last + this.#grid.length, line: row.line, kind: 'misplaced', certainty: 'breach' },
      rules: [orderRule],
      detail: `${words} starts were expected, ${stamp(row.start)} is there${after === undefined ? ', and those after it go back' : ` after ${stamp(after)}`}`,
    });
  }

  /** In order, perhaps after a gap. */
  #accept(row: TableRow, slot: number): void {
    const { length, direction, notJudged } = this.#grid;
    const missing = Math.round(((slot - this.#last) * direction) / length) - 1;
    if (notJudged === undefined && slot <= this.#now && missing > this.#strays) {
      const [one, other] = [this.#last + direction * length, slot - direction * length];
      this.#gaps.add({ first: Math.min(one, other), last: Math.max(one, other), line: row.line });
    }
    this.#place(row, slot);
  }

  #place(row: TableRow, slot: number): void {
    if (Number.isNaN(this.#first)) this.#first = slot;
    this.#last = slot;
    this.#lastStart = row.start;
    this.#strays = 0;
    this.#take(row, slot);
  }
}
