import { day, hour, intervalPhase, minute, week } from '@candleproof/document/spec/interval';
import { findPart, type Hole, listParts, sunday, type WeekParts } from './inside-hole.ts';

/** A longer hole does not show sessions, because no weekend lasts that long. */
const longestRest = 4 * day;

/** Days of a table that show whether its market rests. */
const fewestDays = 7;

/** Least share of rows in each day of the week and hour of the day of a market that never rests. */
const restlessShare = 0.75;

/**
 * Most intervals and most holes, as shares of the rows, that can be damage, and holes that always can; a quiet market lacks
 * more: in 10,000 rows, 1,000 intervals in 102 holes.
 */
const [mostMissing, mostHoles, fewHoles] = [0.1, 0.01, 2];

/** Sessions begin and end at quarters of an hour; parts of the week are as short as whole intervals allow. */
const partSizes = [15 * minute, 30 * minute, 20 * minute, hour];

/** Numbers the week of a time in Unix seconds. */
export function findWeek(start: number): number {
  return Math.floor((start - sunday) / week);
}

/**
 * Shortest interval of which each time of the day is counted; weeks before and after one that show which times are usual, and the
 * share of its part's rows from which one is; and days of its own week with another time of the part that show that it is not.
 */
const timed = { shortest: minute, weeks: 6, share: 2 / 3, days: 2 };

/** Counts a table's rows and missing intervals by part of the week, and keeps which parts of each week have rows. */
export class WeekRows {
  /** Interval and size of a part of the week, in seconds. */
  readonly length: number;
  readonly size: number;
  readonly parts: WeekParts;
  readonly present: Float64Array;
  readonly missing: Float64Array;
  rows = 0;
  /** First and last start, in Unix seconds. */
  from = Number.POSITIVE_INFINITY;
  to = Number.NEGATIVE_INFINITY;
  /** The parts of each week that have rows, and the days with a row at each time. */
  readonly #weeks = new Map<number, Uint8Array>();
  /** Weeks with a row on a weekday, by its first part. */
  readonly #usual: number[] = [];
  /** Number of times of the day that are counted in each week, after its parts; 0 if a part has only one. */
  readonly #times: number;
  #week: Uint8Array = new Uint8Array();
  #holes = 0;
  #longest: Hole = { first: 0, last: -1 };
  #partStart = Number.NaN;
  /** The place in its week at which the first time of the part is counted. */
  #firstTime = 0;
  #part = 0;

  /** `length` is the interval in seconds. */
  constructor(length: number) {
    this.length = length;
    this.size = length >= day ? day : (partSizes.find((size) => size % length === 0) ?? hour);
    this.parts = { length, size: this.size };
    this.present = new Float64Array(week / this.size);
    this.missing = new Float64Array(week / this.size);
    const isTimed = length >= timed.shortest && length < this.size && this.size % length === 0;
    this.#times = isTimed ? day / length : 0;
  }

  add(start: number): void {
    const offset = start - this.#partStart;
    if (!(offset >= 0 && offset < this.size)) this.#open(start);
    this.present[this.#part] = (this.present[this.#part] as number) + 1;
    if (this.#times > 0) {
      const at = this.#firstTime + Math.floor((start - this.#partStart) / this.length);
      this.#week[at] = (this.#week[at] as number) + 1;
    }
    this.rows++;
  }

  addHole(hole: Hole): void {
    const { first, last } = hole;
    if (last - first > longestRest) return;
    this.#holes++;
    if (last - first > this.#longest.last - this.#longest.first) this.#longest = hole;
    for (const [part, count] of this.#countParts(hole))
      this.missing[part] = (this.missing[part] as number) + count;
  }

  #open(start: number): void {
    this.#part = findPart(start, this.size);
    this.#partStart = start - intervalPhase(start - sunday, this.size);
    this.#firstTime = this.present.length + this.#findTime(this.#partStart);
    this.from = Math.min(this.from, start);
    this.to = Math.max(this.to, start);
    const number = findWeek(start);
    this.#week = this.#weeks.get(number) ?? new Uint8Array(this.present.length + this.#times);
    this.#weeks.set(number, this.#week);
    this.#week[this.#part] = 1;
  }

  #findTime(start: number): number {
    return Math.floor(intervalPhase(start, day) / this.length);
  }

  /**
   * Returns the missing intervals within a part of the week without those at its ends at which hardly a day has a row: of
   * the quarter of an hour in which a session ends with its first five minutes, the other ten are closed.
   */
  findUsualTimes({ first, last }: Hole): Hole | undefined {
    if (this.#times === 0) return { first, last };
    const begin = this.#findTime(first - intervalPhase(first - sunday, this.size));
    const own = findWeek(first);
    const days = this.#countTimes(begin, own, 0);
    const nearDays = this.#countTimes(begin, own, timed.weeks);
    const least = timed.share * Math.max(...nearDays);
    const isShown = Math.max(...days) >= timed.days;
    const isUsual = (start: number): boolean => {
      const at = this.#findTime(start) - begin;
      return (nearDays[at] as number) >= least && !(isShown && days[at] === 0);
    };
    let [from, to] = [first, last];
    while (from <= to && !isUsual(from)) from += this.length;
    while (to > from && !isUsual(to)) to -= this.length;
    return from <= to ? { first: from, last: to } : undefined;
  }

  /** Counts the rows at each time of a part of the day, in a week and so many before and after it. */
  #countTimes(begin: number, own: number, apart: number): Float64Array {
    const counts = new Float64Array(this.size / this.length);
    for (let number = own - apart; number <= own + apart; number++) {
      const week = this.#weeks.get(number);
      if (week === undefined) continue;
      const from = this.present.length + begin;
      for (let at = 0; at < counts.length; at++)
        counts[at] = (counts[at] as number) + (week[from + at] as number);
    }
    return counts;
  }

  /** Lists the numbers of weeks with rows. */
  listWeeks(): number[] {
    return [...this.#weeks.keys()];
  }

  hasWeek(number: number): boolean {
    return this.#weeks.has(number);
  }

  /** Returns whether a part of a week, by its number, lies within the table. */
  isWithin(number: number, part: number): boolean {
    const time = sunday + number * week + part * this.size;
    return this.#weeks.has(number) && time >= this.from && time <= this.to;
  }

  /** Returns whether a part of a week has a row; `part` may be one of the week before or after. */
  hasRows(number: number, part: number): boolean {
    const { length } = this.present;
    return this.#weeks.get(number)?.[(part + length) % length] === 1;
  }

  /** Returns whether half of the weeks have a row on the weekday of a day: sessions at weekends may come now and then. */
  isUsual(date: number): boolean {
    const perDay = day / this.size;
    const from = findPart(date * day, this.size);
    const parts = Array.from({ length: perDay }, (_, at) => (from + at) % this.present.length);
    this.#usual[from] ??= this.listWeeks().filter((number) =>
      parts.some((part) => this.hasRows(number, part)),
    ).length;
    return 2 * (this.#usual[from] as number) >= this.#weeks.size;
  }

  /** Counts the intervals of a hole that were counted as missing, by part of the week. */
  countMissing(hole: Hole): ReadonlyMap<number, number> {
    return hole.last - hole.first <= longestRest ? this.#countParts(hole) : new Map();
  }

  #countParts(hole: Hole): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { part, count } of listParts(hole, this.parts))
      counts.set(part, (counts.get(part) ?? 0) + count);
    return counts;
  }

  /** Returns whether holes are more than damage can make. */
  areMany(holes: number): boolean {
    return holes > fewHoles + mostHoles * this.rows;
  }

  /** Returns whether rows cover all days and hours, except for a few holes. */
  get isRestless(): boolean {
    if (!(this.to - this.from >= fewestDays * day)) return false;
    if (this.length >= week) return true;
    const all = this.missing.reduce((sum, count) => sum + count, 0);
    if (all > mostMissing * this.rows || this.areMany(this.#holes)) return false;
    // One hole makes no habit: of two Saturdays, one that is missing is no day of rest.
    const missing = this.missing.slice();
    for (const [part, count] of this.#countParts(this.#longest))
      missing[part] = (missing[part] as number) - count;
    const parts = Array.from(this.present, (_, part) => part);
    const perDay = day / this.size;
    const days = Map.groupBy(parts, (part) => Math.floor(part / perDay));
    const hours = Map.groupBy(parts, (part) => part % perDay);
    return [...days.values(), ...hours.values()].every(
      (group) => this.#share(group, missing) >= restlessShare,
    );
  }

  /** Returns the share of the intervals that have a row; 1 if these parts have no interval. */
  #share(parts: readonly number[], missing: Float64Array): number {
    const count = (counts: Float64Array): number =>
      parts.reduce((sum, part) => sum + (counts[part] as number), 0);
    const [here, lacking] = [count(this.present), count(missing)];
    if (here + lacking > 0) return here / (here + lacking);
    return this.length > this.size ? 1 : 0;
  }
}
