import { day, hour, intervalPhase, stamp, week } from '@candleproof/document/spec/interval';
import type { TableRow } from '../reading/table.ts';
import { isAfterClockChange, repeatedHourWords } from './clock-change.ts';
import { findSlot, type Grid, isCalendar, isOpening, month, stepOn } from './grid.ts';
import type { MissingIntervals } from './missing-intervals.ts';
import { OffGrid } from './off-grid.ts';
import type { Ranges } from './ranges.ts';
import { ShorterSteps } from './shorter-steps.ts';
import { FirstTable } from './unnamed-table.ts';

export const orderRule = 'history/one-order';
export const singleRule = 'history/one-candle-per-interval';

/** Time by which a session of half a day ends before the others. */
const shortest = 4 * hour;

/** Weeks that are named by their first or last day of trading are more than these seconds apart. */
const nearWeek = 4 * day;

/** Receives every placed row with its start on the grid. */
export type TakePlaced = (row: TableRow, slot: number) => void;

/**
 * Checks the sequence of rows: on the grid, in order, one per interval. Holds a row that jumps ahead until the next two
 * show whether it is misplaced or follows a gap.
 */
export class Succession {
  readonly #grid: Grid;
  readonly #gaps: MissingIntervals;
  readonly #found: Ranges;
  readonly #take: TakePlaced;
  #last = Number.NaN;
  #lastStart = Number.NaN;
  #first = Number.NaN;
  #pending: TableRow[] = [];
  /** Seconds by which a local clock has moved the grid; slots are without them. */
  #clock = 0;
  /** Number of misplaced rows since the last placed one. The intervals that they leave empty are not gaps as well. */
  #strays = 0;
  readonly firstTable = new FirstTable();
  readonly shorter: ShorterSteps;
  readonly #off: OffGrid;
  /** The starts of rows, where no grid tells which intervals have had one; undefined where it does. */
  readonly #starts: NewestStarts | undefined;
  /** Start of the last row off the grid. */
  #lastOff = Number.NaN;

  readonly #now: number;

  /** `now` is in Unix seconds; there are no gaps before future rows. */
  constructor(grid: Grid, now: number, gaps: MissingIntervals, found: Ranges, take: TakePlaced) {
    this.#now = now;
    this.#grid = grid;
    this.#gaps = gaps;
    this.#found = found;
    this.#take = take;
    this.#off = new OffGrid(grid, found);
    const hasGrid = grid.notJudged === undefined || isCalendar(grid.length);
    this.#starts = hasGrid ? undefined : new NewestStarts();
    this.shorter = new ShorterSteps(grid.length);
  }

  next(row: TableRow): void {
    const { length, direction } = this.#grid;
    const start = row.start - this.#clock;
    // A regular step from a placed row needs no further checks.
    if (start - this.#last === length * direction && this.#pending.length === 0) {
      this.#place(row, start);
      return;
    }
    if (Number.isNaN(this.#findSlot(row)) && this.#pending.length === 0) this.#followClock(row);
    const slot = this.#findSlot(row);
    if (Number.isNaN(slot)) this.#offGrid(row);
    else if (this.#pending.length > 0) this.#decideLeap(row, slot);
    else this.#step(row, slot);
  }

  #findSlot({ start }: TableRow): number {
    const slot = findSlot(start - this.#clock, this.#grid);
    return Number.isNaN(slot) ? this.#findShortDay(start) : slot;
  }

  /** Returns the slot of a day that is named by its close and ends early, alone among others; NaN for none. */
  #findShortDay(start: number): number {
    const { length, phase, notJudged } = this.#grid;
    if (length !== day || notJudged !== undefined) return Number.NaN;
    const early = intervalPhase(phase - start, day);
    const isSameDate = Math.floor(start / day) === Math.floor((start + early) / day);
    const isAlone = !(Math.abs(this.#last - this.#lastStart) > hour);
    return isSameDate && isAlone && early <= shortest ? start + early : Number.NaN;
  }

  /** Moves the grid by an hour if candles of several hours follow a local clock that has just changed. */
  #followClock({ start }: TableRow): void {
    const { length } = this.#grid;
    const isLocal = length > hour && length < day && length % hour === 0;
    if (!isLocal || !(Number.isNaN(this.#last) || isAfterClockChange(start))) return;
    const moved = [0, hour, -hour].find((clock) => !Number.isNaN(findSlot(start - clock, this.#grid)));
    this.#clock = moved ?? this.#clock;
  }

  end(): void {
    const [leap, between] = this.#pending;
    this.#pending = [];
    if (leap && between && this.#strays > 0) this.#goBack(leap, between);
    else {
      if (leap) this.#accept(leap, this.#findSlot(leap));
      if (between) this.#step(between, this.#findSlot(between));
    }
    this.#off.report();
    this.#gaps.end();
  }

  #step(row: TableRow, slot: number): void {
    const step = (slot - this.#last) * this.#grid.direction;
    if (step <= 0) this.#behind(row, slot);
    else if (this.#isInSame(row)) this.#addDuplicate(row);
    // The very first row may be misplaced, too.
    else if (Number.isNaN(step) || step > this.#grid.length) this.#pending = [{ ...row }];
    else this.#accept(row, slot);
  }

  /** Returns whether a row lies in the week or month of the one before, as the price of today below whole ones does. */
  #isInSame({ start }: TableRow): boolean {
    const { length } = this.#grid;
    if (length === week) return Math.abs(start - this.#lastStart) <= nearWeek;
    if (!isCalendar(length) || length > month) return false;
    return stamp(start).slice(0, 7) === stamp(this.#lastStart).slice(0, 7);
  }

  /** Decides about a row that jumped ahead, by the rows after it. */
  #decideLeap(row: TableRow, slot: number): void {
    const { direction } = this.#grid;
    const [leap, between] = this.#pending as [TableRow, TableRow?];
    const ahead = this.#findSlot(leap);
    if ((slot - ahead) * direction >= 0 || (slot - this.#last) * direction <= 0) {
      this.#pending = [];
      if (between && this.#strays > 0) this.#goBack(leap, between);
      else {
        this.#accept(leap, ahead);
        if (between) this.#addSwapped(between, leap);
      }
      this.#step(row, slot);
    } else if (between === undefined) this.#pending.push({ ...row });
    else {
      this.#pending = [];
      this.#countStray(leap);
      this.next(between);
      this.next(row);
    }
  }

  /** Reports the last two of rows that turned to the other order. */
  #goBack(leap: TableRow, between: TableRow): void {
    this.#countStray(leap);
    this.#countStray(between, leap.start);
  }

  /** Reports two swapped neighbors, either of which can be the wrong one. */
  #addSwapped(row: TableRow, leap: TableRow): void {
    const slot = this.#findSlot(row);
    this.#gaps.fill(slot + this.#clock);
    this.#addMisplaced(row, Math.min(row.start, leap.start), Math.max(row.start, leap.start), leap.start);
  }

  /** Handles a row at or before an earlier start. */
  #behind(row: TableRow, slot: number): void {
    const isSame = slot === this.#last;
    const { direction } = this.#grid;
    this.firstTable.compare(slot, row);
    if (isSame && this.#isShortPart(row)) this.#place(row, slot);
    else if (!isSame && this.#gaps.fill(slot + this.#clock)) {
      this.#addMisplaced(row, row.start, row.start, this.#lastStart);
    } else if (!isSame && (slot - this.#first) * direction < 0) this.#countStray(row, this.#lastStart);
    else if (!isSame && (slot + this.#clock) * direction <= this.#gaps.settledTo)
      this.#countStray(row, this.#lastStart);
    else if (!isSame && this.#starts?.has(slot) === false) {
      this.#starts.add(slot);
      this.#countStray(row, this.#lastStart);
    } else this.#addDuplicate(row);
  }

  /** Returns whether a row is the part of an interval before a break, as 10:15 is after 10:00 and before 11:00. */
  #isShortPart({ start }: TableRow): boolean {
    const { openings } = this.#grid;
    const isShort = isOpening(start, openings) || isOpening(this.#lastStart, openings);
    return isShort && start !== this.#lastStart;
  }

  /** Reports a row that belongs to none of the surrounding intervals. */
  #countStray(row: TableRow, after?: number): void {
    this.#strays++;
    this.#addMisplaced(row, row.start, row.start, after);
  }

  #addDuplicate(row: TableRow): void {
    const { start, line } = row;
    const { length, direction } = this.#grid;
    const back = (this.#last + this.#clock - start) * direction + length;
    const words = length < day ? repeatedHourWords(start, back) : '';
    this.#found.add({
      ...{ from: start, to: start + length, line, kind: 'duplicate', certainty: 'breach' },
      ...{ rules: [singleRule], detail: `second row for ${stamp(start)}${words}` },
    });
  }

  #offGrid(row: TableRow): void {
    const { length } = this.#grid;
    const apart = Math.abs(row.start - this.#lastStart);
    this.#strays++;
    this.#off.add(row, apart < length);
    const fromOff = Math.abs(row.start - this.#lastOff);
    this.shorter.add(row.line, fromOff < apart ? fromOff : apart);
    this.#lastOff = row.start;
  }

  #addMisplaced(row: TableRow, from: number, last: number, after?: number): void {
    const words = this.#grid.direction === 1 ? 'ascending' : 'descending';
    this.#found.add({
      ...{ from, to: last + this.#grid.length, line: row.line, kind: 'misplaced', certainty: 'breach' },
      rules: [orderRule],
      detail: `${words} starts were expected, ${stamp(row.start)} is there${after === undefined ? ', and those after it go back' : ` after ${stamp(after)}`}`,
    });
  }

  /** Places a row in order, possibly after a gap. */
  #accept(row: TableRow, slot: number): void {
    const { length, direction, notJudged } = this.#grid;
    const missing = Math.round(((slot - this.#last) * direction) / length) - 1;
    const isJudged = notJudged === undefined || isCalendar(length);
    if (isJudged && slot <= this.#now && missing > this.#strays) {
      const one = stepOn(this.#last, this.#grid, direction) + this.#clock;
      const other = stepOn(slot, this.#grid, direction === 1 ? -1 : 1) + this.#clock;
      this.#gaps.add({ first: Math.min(one, other), last: Math.max(one, other), line: row.line });
    }
    this.#place(row, slot);
  }

  #place(row: TableRow, slot: number): void {
    if (Number.isNaN(this.#first)) this.#first = slot;
    this.#last = slot;
    this.#lastStart = row.start;
    this.#strays = 0;
    this.#off.pass(slot);
    this.#starts?.add(slot);
    this.firstTable.goOn();
    this.firstTable.note(slot, row.close);
    this.#take(row, slot + this.#clock);
  }
}

/** Most starts that are remembered, the newest: two weeks of minutes. */
const mostStarts = 20_000;

/** Remembers the starts of the last rows of a table without a grid, whose gaps do not show which times had a row. */
class NewestStarts {
  readonly #starts = new Set<number>();

  add(start: number): void {
    this.#starts.add(start);
    if (this.#starts.size <= mostStarts) return;
    const [oldest] = this.#starts;
    this.#starts.delete(oldest as number);
  }

  has(start: number): boolean {
    return this.#starts.has(start);
  }
}
