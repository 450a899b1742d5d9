import { day, hour, intervalPhase, minute, week } from '@candleproof/document/spec/interval';
import { BusyHours } from './busy-hours.ts';
import { isBetweenClockChanges, isBetweenNorthernChanges } from './clock-change.ts';
import { oddsOfRun } from './detector.ts';
import { isCalendar } from './grid.ts';
import { findHolidays, type Holidays, isHoliday, isRestEverywhere } from './holidays.ts';
import {
  findInside,
  findPart,
  type Hole,
  type InsideHole,
  listParts,
  type RatedHole,
  sunday,
  type WeekParts,
} from './inside-hole.ts';

/** A longer hole does not show sessions, because no weekend lasts that long. */
const longestRest = 4 * day;

/** Days of a table that show whether its market rests, and days that show when. */
const [fewestDays, fewestSessionDays] = [7, 28];

/**
 * Least share of rows in a part of the week in which the market is open, since a sixth of the Mondays can be holidays;
 * and in one of a market that never rests.
 */
const [openShare, restlessShare] = [0.8, 0.75];

/** Most intervals and most holes, as shares of the rows, that can be damage; a quiet market lacks more. */
const [mostMissing, mostHoles, fewHoles] = [0.1, 0.01, 2];

/** Days without a row in a row that can be holidays. */
const longestHolidays = 10;

/** Days without a row in a year that no calendar explains, from which they are closures, and most of them in a row. */
const [fewestClosures, longestClosure] = [2, 3];

/** Span in which markets that keep holidays have three and more. */
const halfYear = 180 * day;

/** Holes, as a share of the rows, from which short ones are the market's habit, and fewest of them. */
const [habit, fewHabits] = [0.001, 8];

/**
 * Share of the holes of a quiet market that are usual, and how many times longer one is, and in seconds, that no lack of
 * trades explains.
 */
const [quietShare, farLonger, leastLost] = [0.99, 8, 2 * hour];

/** Exchanges whose shares are suspended for days and months, which a table does not tell from lost rows. */
const suspending = ['Shanghai'];

/** Sessions begin and end at quarters of an hour; parts of the week are as short as whole intervals allow. */
const partSizes = [15 * minute, 30 * minute, 20 * minute, hour];

/** Least share of a day's intervals without which it is a day of rest rather than one with a hole. */
const restShare = 0.9;

/** Most of a day's intervals, as a share, that are lost within a session rather than closed by a holiday. */
const shortShare = 1 / 8;

/** Weeks on each side that show the hours then: clocks change and sessions are extended; fewest of both, and their share. */
const [nearWeeks, fewestNear, nearShare] = [6, 4, 2 / 3];

/** Learns from a table when its market is open: always, or in which hours or days of the week. */
export class Sessions {
  readonly #length: number;
  readonly #size: number;
  readonly #parts: WeekParts;
  readonly #present: Float64Array;
  readonly #missing: Float64Array;
  #rows = 0;
  #holes = 0;
  #longest: Hole = { first: 0, last: -1 };
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;
  /** The parts of each week that have rows. */
  readonly #weeks = new Map<number, Uint8Array>();
  readonly #openOfDay = new Map<number, number>();
  /** True if whole days without a row may be closures of a market that no calendar here knows. */
  areClosuresUnknown = false;
  #holidays: Holidays | undefined;
  /** True if a table lacks so few days that its market keeps no holidays. */
  #keepsNone = false;
  #hours: BusyHours | undefined;
  #near = { place: Number.NaN, isOpen: false as boolean | undefined };
  #nearRows = { own: Number.NaN, isNear: false };
  #partStart = Number.NaN;
  #part = 0;

  /** `length` is the interval in seconds. */
  constructor(length: number) {
    this.#length = length;
    this.#size = length >= day ? day : (partSizes.find((size) => size % length === 0) ?? hour);
    this.#parts = { length, size: this.#size };
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
    if (last - first > this.#longest.last - this.#longest.first) this.#longest = { first, last };
    for (const [part, count] of this.#countParts({ first, last }))
      this.#missing[part] = (this.#missing[part] as number) + count;
  }

  /** Returns the parts of the holes within the sessions; none if the table does not show sessions. */
  rate(holes: readonly Hole[]): Map<Hole, RatedHole> {
    if (this.isRestless)
      return new Map(
        holes.map((hole) => [
          hole,
          { ...hole, rows: this.#count(hole), isCertain: !isCalendar(this.#length) },
        ]),
      );
    const counts = { parts: this.#parts, present: this.#present, missing: this.#missing };
    this.#hours = this.#length < day ? new BusyHours(holes, counts) : undefined;
    if (this.#to - this.#from < fewestSessionDays * day) return this.#rateShort(holes);
    const inside = new Map(holes.map((hole) => [hole, this.#findInside(hole)]));
    const holidays = this.#findHolidays([...inside.values()]);
    this.#holidays = holidays;
    const lost = this.#listLost([...inside.values()]);
    this.#keepsNone = this.#length <= day && this.#to - this.#from >= halfYear && lost.length <= fewHoles;
    const unexplained = [...inside].filter(([, part]) => part.rows === 0 || !this.#isRest(part, holidays));
    const years = (this.#to - this.#from) / (366 * day);
    const singles = unexplained.filter(([, part]) => this.#isSingleDay(part));
    const areSingles = !holidays.areKnown && singles.length >= fewestClosures * Math.max(1, years);
    const whole = unexplained.filter(([, part]) => this.#isClosure(part));
    const closures = new Set(areSingles ? singles : whole);
    const areHolidays = !holidays.areKnown || closures.size > fewHoles;
    this.areClosuresUnknown = closures.size > 0 && areHolidays;
    const rated = unexplained.filter(
      (hole) => !(areHolidays && closures.has(hole)) && !this.#isOfMovedSession(hole[1]),
    );
    const suspected = rated.filter(([, { rows }]) => rows > 0);
    if (suspected.length > fewHoles + mostHoles * this.#rows) return this.#rateLongest(suspected);
    const isUsual = (part: InsideHole): boolean =>
      this.#isHabit(part, suspected) || this.#areSuspensions(holidays);
    return new Map(
      rated.map(([hole, part]) => [
        hole,
        isUsual(part) ? this.#rateUsual(hole, part) : this.#leaveOutHolidays(part),
      ]),
    );
  }

  /** Returns whether a session has moved by an hour, as between two changes of clocks, and lacks one at its edge. */
  #isOfMovedSession({ first, last, rows, pause }: InsideHole): boolean {
    const isHour = rows > 0 && last - first + this.#length <= hour;
    if (!isHour || !isBetweenClockChanges(first)) return false;
    const starts = Array.from({ length: rows }, (_, at) => first + at * this.#length);
    const isEdge = [hour, -hour].some((moved) => starts.every((start) => !this.#isOpenAt(start + moved)));
    // Before and after a weekend, no other row may show it.
    const isOfWeekend = pause >= day && isBetweenNorthernChanges(first);
    return isEdge && (isOfWeekend || this.#isOfOtherHours(first));
  }

  /** Returns whether the week of a start has a row at hours of rest, or a week beside it lacks the same part. */
  #isOfOtherHours(start: number): boolean {
    const [own, part] = [findWeek(start), findPart(start, this.#size)];
    if ([own - 1, own + 1].some((each) => this.#isWithin(each, part) && !this.#hasRows(each, part)))
      return true;
    const from = sunday + own * week;
    return this.#present.some((_, at) => this.#hasRows(own, at) && !this.#isOpenAt(from + at * this.#size));
  }

  #isOpenAt(start: number): boolean {
    return this.#isOpen(findPart(start, this.#size), 0, start);
  }

  /** Rates the holes of a table that is too short to show sessions by the same hours of its other days. */
  #rateShort(holes: readonly Hole[]): Map<Hole, RatedHole> {
    return new Map(
      holes.flatMap((hole) => {
        const rated = this.#rateByHours(hole);
        return rated ? [[hole, rated] as const] : [];
      }),
    );
  }

  /** Rates a hole that is usual for its market, unless its hours say otherwise: no row of it counts. */
  #rateUsual(hole: Hole, part: RatedHole): RatedHole {
    return this.#rateByHours(hole) ?? { ...part, rows: 0 };
  }

  /** Rates a hole that stands out from the same hours of other days, with rows before and after it; undefined for others. */
  #rateByHours(hole: Hole): RatedHole | undefined {
    const { first, last } = hole;
    const found = isRestEverywhere(Math.floor(first / day))
      ? undefined
      : this.#hours?.compare({ first, last });
    if (found === undefined) return undefined;
    return { first, last, rows: this.#count(hole), isCertain: false, isOfBusyHours: found === 'busy' };
  }

  /** Does not count the days in a hole of days on which the exchange is closed. */
  #leaveOutHolidays(part: InsideHole): RatedHole {
    const { rows, days } = part;
    const closed = this.#holidays?.exchange?.closed;
    if (closed === undefined || this.#length !== day) return part;
    const kept = [...days.keys()].filter((date) => closed.has(date)).length;
    return kept < rows ? { ...part, rows: rows - kept } : part;
  }

  /** Returns, in a quiet market, only the holes that are far longer than its others, such as a lost session. */
  #rateLongest(all: readonly (readonly [Hole, RatedHole])[]): Map<Hole, RatedHole> {
    const sizes = all.map(([, { rows }]) => rows).sort((a, b) => a - b);
    const usual = sizes[Math.floor(quietShare * (sizes.length - 1))] ?? 0;
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    const isLost = ({ rows }: RatedHole): boolean =>
      rows >= farLonger * usual &&
      rows * this.#length >= leastLost &&
      oddsOfRun(sizes.length, sizes.length * (1 - 1 / mean), rows) > 0;
    return new Map(all.map(([hole, part]) => [hole, isLost(part) ? part : this.#rateUsual(hole, part)]));
  }

  /** Returns whether holes of this length are the market's habit, as minutes without a quote, or days of storms. */
  #isHabit({ rows }: RatedHole, all: readonly (readonly [Hole, RatedHole])[]): boolean {
    if (all.length <= Math.max(fewHabits, habit * this.#rows)) return false;
    const longer = all.filter(([, other]) => other.rows > 1).length;
    return oddsOfRun(all.length, longer, rows - 1) === 0;
  }

  #areSuspensions({ exchange }: Holidays): boolean {
    return this.#length === day && exchange !== undefined && suspending.includes(exchange.name);
  }

  /** Lists the days of holes that lack nearly all of their rows. */
  #listLost(inside: readonly InsideHole[]): number[] {
    return inside.flatMap(({ days }) =>
      [...days].flatMap(([date, missing]) => (missing >= restShare * this.#countOpen(date) ? [date] : [])),
    );
  }

  /** Finds holidays among the days of weeks with rows and of short holes: other days of a table show none. */
  #findHolidays(inside: readonly InsideHole[]): Holidays {
    const [from, to] = [this.#from, this.#to].map((time) => Math.floor(time / day)) as [number, number];
    const missing = inside.flatMap((hole) =>
      hole.days.size <= longestHolidays && !this.#isWithinSession(hole) ? [...hole.days.keys()] : [],
    );
    const ofWeeks = [...this.#weeks.keys()].flatMap((number) =>
      Array.from({ length: 7 }, (_, at) => (sunday + number * week) / day + at),
    );
    const dates = [...new Set([...ofWeeks, ...missing])].filter((date) => date >= from && date <= to);
    const isOpen = (date: number): boolean => this.#countOpen(date) > 0;
    return findHolidays({ dates, missing, lost: this.#listLost(inside) }, isOpen);
  }

  /**
   * Returns whether a holiday explains the hole, or a long weekend if the table has too few years to show its holidays.
   */
  #isRest(hole: InsideHole, holidays: Holidays): boolean {
    if (this.#isWithinSession(hole)) return false;
    const { days, pause } = hole;
    // A hole of Good Friday and Easter Monday is Easter in any calendar.
    const all = days.size > 1 ? { ...holidays, names: new Set([...holidays.names, 'Easter 1']) } : holidays;
    // A session of a holiday may have begun in the evening before it.
    const least = Math.max(...days.values()) / 2;
    const main = [...days].filter(([, missing]) => missing >= least);
    if (main.every(([date]) => isHoliday(date, all))) return true;
    return pause >= day && this.#lacksDays(hole);
  }

  /** Returns whether a hole is short, with open hours of its day before and after it: a holiday ends or fills a session. */
  #isWithinSession({ rows, days, pause }: InsideHole): boolean {
    const [date, ...others] = days.keys();
    if (date === undefined || others.length > 0 || pause > 0 || this.#length >= day) return false;
    return rows <= shortShare * this.#countOpen(date);
  }

  /** Returns whether a hole within the week is of whole days, as a holiday is that no calendar here has. */
  #isClosure(hole: InsideHole): boolean {
    return this.#length < day && hole.rows > 0 && this.#lacksDays(hole);
  }

  /** Returns whether a hole of a table of days is one that a holiday makes. */
  #isSingleDay({ rows }: InsideHole): boolean {
    return this.#length === day && rows > 0 && rows <= longestClosure;
  }

  /** Returns whether a day, in days since 1970-01-01, is a holiday of the table's market, once its holes are rated. */
  isHoliday(date: number): boolean {
    return this.#holidays !== undefined && isHoliday(date, this.#holidays);
  }

  /** Returns whether a hole in a table of few years is of whole days; the session before a holiday may be a short one. */
  #lacksDays({ rows, days, pause }: InsideHole): boolean {
    // Rows just before and after a few hours are of the same session.
    if (pause === 0 && rows * this.#length < day / 2) return false;
    if (this.#keepsNone || rows * this.#length > day || this.#to - this.#from >= 2 * 366 * day) return false;
    const isWhole = ([date, missing]: [number, number]): boolean =>
      missing >= restShare * this.#countOpen(date);
    return [...days].slice(days.size > 1 ? 1 : 0).every(isWhole);
  }

  /** Counts the intervals of a day in which the market is open, by all weeks; once, since many holes may be of one day. */
  #countOpen(date: number): number {
    const known = this.#openOfDay.get(date) ?? this.#countOpenOnce(date);
    this.#openOfDay.set(date, known);
    return known;
  }

  #countOpenOnce(date: number): number {
    const first = findPart(date * day, this.#size);
    const parts = Array.from({ length: day / this.#size }, (_, at) => (first + at) % this.#present.length);
    return (
      parts.filter((part, at) => this.#isOpen(part, 0, date * day + at * this.#size)).length *
      Math.max(1, this.#size / this.#length)
    );
  }

  /**
   * Returns whether the market is open in a part of the week, by the weeks around a start, or by all weeks without `own`
   * missing intervals of the part.
   */
  #isOpen(part: number, own: number, start: number): boolean {
    const place = Math.floor((start - sunday) / this.#size);
    if (place !== this.#near.place) this.#near = { place, isOpen: this.#isOpenNear(part, start) };
    if (this.#near.isOpen !== undefined) return this.#near.isOpen;
    const [present, missing] = [this.#present[part] as number, this.#missing[part] as number];
    return present > 0 && present >= openShare * (present + missing - own);
  }

  /** Returns whether the weeks before and after have rows in the part; undefined if they are too few. */
  #isOpenNear(part: number, start: number): boolean | undefined {
    if (this.#size === day) return undefined;
    const own = findWeek(start);
    if (!this.#isNearRows(own)) return undefined;
    const sides = [-1, 1].map((way) =>
      Array.from({ length: nearWeeks }, (_, at) => own + way * (at + 1)).filter((each) =>
        this.#isWithin(each, part),
      ),
    );
    if (sides.flat().length < fewestNear) return undefined;
    const [open, other] = sides.filter(
      (side) =>
        side.length > 0 && side.filter((each) => this.#hasRows(each, part)).length >= nearShare * side.length,
    );
    if (open === undefined) return false;
    return other !== undefined || this.#hasHoursOf(open[0] as number, own, part);
  }

  /** Returns whether enough weeks near one have rows; remembered, since the parts of a week come one after the other. */
  #isNearRows(own: number): boolean {
    if (own !== this.#nearRows.own) {
      let count = 0;
      for (let apart = 1; apart <= nearWeeks; apart++)
        count += Number(this.#weeks.has(own - apart)) + Number(this.#weeks.has(own + apart));
      this.#nearRows = { own, isNear: count >= fewestNear };
    }
    return this.#nearRows.isNear;
  }

  /**
   * Returns whether a week has the hours of one near it, near a change of the clock or an end of the table: as the days
   * show that had the same hours around the part.
   */
  #hasHoursOf(near: number, own: number, part: number): boolean {
    const [perDay, perHour] = [day / this.#size, Math.max(1, hour / this.#size)];
    const days = Array.from({ length: 7 }, (_, at) => (part % perDay) + at * perDay).filter(
      (at) => at !== part && this.#isWithin(own, at),
    );
    if (days.length === 0) return true;
    const alike = days.filter((at) =>
      [-perHour, 0, perHour].every(
        (apart) => this.#hasRows(near, at + apart) === this.#hasRows(near, part + apart),
      ),
    );
    // Half of them, for a week of holidays has short sessions.
    return alike.length > 0 && 2 * alike.filter((at) => this.#hasRows(own, at)).length >= alike.length;
  }

  /** Returns whether a part of a week, by its number, lies within the table. */
  #isWithin(number: number, part: number): boolean {
    const time = sunday + number * week + part * this.#size;
    return this.#weeks.has(number) && time >= this.#from && time <= this.#to;
  }

  #hasRows(number: number, part: number): boolean {
    const { length } = this.#present;
    return this.#weeks.get(number)?.[(part + length) % length] === 1;
  }

  /** Finds the missing intervals in open parts of the week, which are learnt without those of the hole. */
  #findInside(hole: Hole): InsideHole {
    // A hole that is too long to show sessions is none of the missing intervals.
    const isCounted = hole.last - hole.first <= longestRest;
    const own = isCounted ? this.#countParts(hole) : new Map<number, number>();
    return findInside(hole, this.#parts, (part, start) => this.#isOpen(part, own.get(part) ?? 0, start));
  }

  #open(start: number): void {
    this.#part = findPart(start, this.#size);
    this.#partStart = start - intervalPhase(start - sunday, this.#size);
    this.#from = Math.min(this.#from, start);
    this.#to = Math.max(this.#to, start);
    const number = findWeek(start);
    const parts = this.#weeks.get(number) ?? new Uint8Array(this.#present.length);
    this.#weeks.set(number, parts);
    parts[this.#part] = 1;
  }

  /** Counts the intervals of a hole in each part of the week. */
  #countParts(hole: Hole): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { part, count } of listParts(hole, this.#parts))
      counts.set(part, (counts.get(part) ?? 0) + count);
    return counts;
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
    // One hole makes no habit: of two Saturdays, one that is missing is no day of rest.
    const missing = this.#missing.slice();
    for (const [part, count] of this.#countParts(this.#longest))
      missing[part] = (missing[part] as number) - count;
    const parts = Array.from(this.#present, (_, part) => part);
    const perDay = day / this.#size;
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
    const [here, lacking] = [count(this.#present), count(missing)];
    if (here + lacking > 0) return here / (here + lacking);
    return this.#length > this.#size ? 1 : 0;
  }
}

/** Numbers the week of a time in Unix seconds. */
function findWeek(start: number): number {
  return Math.floor((start - sunday) / week);
}
