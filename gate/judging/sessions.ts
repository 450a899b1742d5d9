import { day, hour, intervalPhase, week } from '../../contract/document/interval.ts';

/** Missing intervals: first and last start, Unix seconds. */
export type Hole = { readonly first: number; readonly last: number };

/** The part of a hole within the sessions and outside holidays, and whether only damage explains it. */
export type RatedHole = Hole & { readonly rows: number; readonly isCertain: boolean };

/** A hole with the days of its missing intervals, since 1970-01-01. */
type InsideHole = RatedHole & { readonly days: readonly number[] };

/** A longer hole does not show sessions, because no weekend lasts that long. */
const longestRest = 4 * day;

/** Days of a table that show whether its market rests, and days that show when. */
const [fewestDays, fewestSessionDays] = [7, 28];

/** Least share of rows in a part of the week in which the market is open, and in one of a market that never rests. */
const [openShare, restlessShare] = [0.9, 0.75];

/** Most intervals and most holes, as shares of the rows, that can be damage; a quiet market lacks more. */
const [mostMissing, mostHoles, fewHoles] = [0.1, 0.01, 2];

/** A Monday, in Unix seconds. */
const monday = 345_600;

/** Learns from a table when its market is open: always, or in which hours or days of the week. */
export class Sessions {
  readonly #length: number;
  readonly #size: number;
  readonly #present: Float64Array;
  readonly #missing: Float64Array;
  #rows = 0;
  #holes = 0;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;
  #partStart = Number.NaN;
  #part = 0;

  /** `length` is the interval in seconds. */
  constructor(length: number) {
    this.#length = length;
    this.#size = length < day ? hour : day;
    this.#present = new Float64Array(week / this.#size);
    this.#missing = new Float64Array(week / this.#size);
  }

  add(start: number): void {
    const offset = start - this.#partStart;
    if (!(offset >= 0 && offset < this.#size)) this.#open(start);
    this.#present[this.#part] = (this.#present[this.#part] as number) + 1;
    this.#rows++;
  }

  addHole({ first, last }: Hole): void {
    if (last - first > longestRest) return;
    this.#holes++;
    for (let start = first; start <= last; start += this.#length) {
      const part = this.#findPart(start);
      this.#missing[part] = (this.#missing[part] as number) + 1;
    }
  }

  /** Returns the parts of the holes within the sessions; none if the table does not show sessions. */
  rate(holes: readonly Hole[]): Map<Hole, RatedHole> {
    if (this.isRestless)
      return new Map(holes.map((hole) => [hole, { ...hole, rows: this.#count(hole), isCertain: true }]));
    const isOpen = Array.from(this.#present, (count, part) => count > 0 && this.#share([part]) >= openShare);
    if (this.#to - this.#from < fewestSessionDays * day || !isOpen.includes(true)) return new Map();
    const inside = new Map(holes.map((hole) => [hole, this.#findInside(hole, isOpen)]));
    const known = recurringDays([...inside.values()].flatMap(({ days }) => days));
    const rated = [...inside].filter(([hole, part]) => part.rows === 0 || !this.#isRest(hole, part, known));
    const most = fewHoles + mostHoles * this.#rows;
    return new Map(rated.filter(([, { rows }]) => rows > 0).length > most ? [] : rated);
  }

  /**
   * Returns whether a holiday explains the hole, or a long weekend if the table has too few years to show its holidays.
   */
  #isRest(hole: Hole, { rows, days }: InsideHole, known: ReadonlySet<string>): boolean {
    if (days.every((day) => isHoliday(day, known))) return true;
    const isLongWeekend = this.#count(hole) > rows && rows * this.#length <= day;
    return isLongWeekend && this.#to - this.#from < 2 * 366 * day;
  }

  /** Finds the missing intervals in open parts of the week. */
  #findInside(hole: Hole, isOpen: readonly boolean[]): InsideHole {
    const days: number[] = [];
    let [first, last, rows] = [hole.first, hole.last, 0];
    for (let start = hole.first; start <= hole.last; start += this.#length) {
      if (!isOpen[this.#findPart(start)]) continue;
      if (rows++ === 0) first = start;
      last = start;
      const date = Math.floor(start / day);
      if (days.at(-1) !== date) days.push(date);
    }
    return { first, last, rows, days, isCertain: false };
  }

  #open(start: number): void {
    this.#part = this.#findPart(start);
    this.#partStart = start - intervalPhase(start - monday, this.#size);
    this.#from = Math.min(this.#from, start);
    this.#to = Math.max(this.#to, start);
  }

  #findPart(start: number): number {
    return Math.floor(intervalPhase(start - monday, week) / this.#size);
  }

  #count({ first, last }: Hole): number {
    return Math.round((last - first) / this.#length) + 1;
  }

  /** Returns whether rows cover all days and hours, except for a few holes. */
  get isRestless(): boolean {
    if (!(this.#to - this.#from >= fewestDays * day)) return false;
    if (this.#length >= week) return true;
    const all = this.#missing.reduce((sum, count) => sum + count, 0);
    if (all > mostMissing * this.#rows || this.#holes > fewHoles + mostHoles * this.#rows) return false;
    const parts = Array.from(this.#present, (_, part) => part);
    const perDay = day / this.#size;
    const days = Map.groupBy(parts, (part) => Math.floor(part / perDay));
    const hours = Map.groupBy(parts, (part) => part % perDay);
    return [...days.values(), ...hours.values()].every((group) => this.#share(group) >= restlessShare);
  }

  /** Returns the share of the intervals that have a row; 1 if these parts have no interval. */
  #share(parts: readonly number[]): number {
    const count = (counts: Float64Array): number =>
      parts.reduce((sum, part) => sum + (counts[part] as number), 0);
    const [present, missing] = [count(this.#present), count(this.#missing)];
    if (present + missing > 0) return present / (present + missing);
    return this.#length > this.#size ? 1 : 0;
  }
}

/** Christmas and New Year, when most markets rest: month and day. */
const everywhere = ['12-24', '12-25', '12-26', '12-31', '1-1', '1-2'];

/**
 * Returns the names of the days that were missing in several years: by date, by weekday in the month, by distance from
 * Easter. Days count from 1970-01-01.
 */
export function recurringDays(days: readonly number[]): Set<string> {
  const years = new Map<string, Set<number>>();
  for (const date of new Set(days)) {
    const { year, names } = nameDay(date);
    for (const name of names) years.set(name, (years.get(name) ?? new Set()).add(year));
  }
  return new Set([...years].flatMap(([name, seen]) => (seen.size > 1 ? [name] : [])));
}

/** Returns whether a day is a holiday: one of those that most markets keep, or one of `known`. */
export function isHoliday(date: number, known: ReadonlySet<string>): boolean {
  return nameDay(date).names.some((name) => known.has(name) || everywhere.includes(name));
}

function nameDay(days: number): { year: number; names: string[] } {
  const dateAfter = (more: number): Date => new Date((days + more) * day * 1000);
  const at = dateAfter(0);
  const [year, month, date, weekday] = [
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCDay(),
  ];
  const isLast = dateAfter(7).getUTCMonth() !== month;
  // A holiday on a Sunday is kept on Monday, one on a Saturday on Friday.
  const kept = weekday === 1 ? -1 : weekday === 5 ? 1 : 0;
  const names = [0, kept].map((shift) => {
    const shifted = dateAfter(shift);
    return `${shifted.getUTCMonth() + 1}-${shifted.getUTCDate()}`;
  });
  return {
    year,
    names: [
      ...names,
      `${month} ${weekday} ${Math.ceil(date / 7)}`,
      ...(isLast ? [`${month} ${weekday} last`] : []),
      `Easter ${days - easter(year)}`,
    ],
  };
}

/** Returns the day of Easter, in days since 1970-01-01 (Gauss, as Meeus gives it for the Gregorian calendar). */
function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1) / (day * 1000);
}
