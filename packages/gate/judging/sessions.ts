import { day, hour, week } from '@candleproof/document/spec/interval';
import { BusyHours } from './busy-hours.ts';
import { oddsOfRun } from './detector.ts';
import { findClosedWeeks } from './exchange-days.ts';
import { isCalendar } from './grid.ts';
import { type Holidays, isHoliday, isRestEverywhere } from './holidays.ts';
import { countIntervals, type Hole, type InsideHole, type RatedHole } from './inside-hole.ts';
import { isOfMovedSession } from './moved-session.ts';
import { OpenHours } from './open-hours.ts';
import { RestDays } from './rest-days.ts';
import { WeekRows } from './week-rows.ts';

/** Days of a table that show when its market is open: four weeks have each of its hours four times. */
const fewestSessionDays = 28;

/**
 * Holes in a year that no calendar explains, from which they are closures, and most days of one: 16 holes in eight years are
 * holidays of a market that is not known, 15 are suspected; the new year by the moon takes a week.
 */
const [fewestClosures, longestClosure] = [2, 5];

/** Closures that a market whose calendar is known may have beside it, as days of mourning are. */
const fewClosures = 2;

/** Holes, as a share of the rows, from which short ones are the market's habit, and fewest of them: 51 in 50,000 minutes. */
const [habit, fewHabits] = [0.001, 8];

/**
 * Share of the holes of a quiet market that are usual, and how many times longer one is, and in seconds, that no lack of
 * trades explains: where 99 of 100 holes have up to 10 minutes, one of 120 minutes is suspected, one of 80 is not.
 */
const [quietShare, farLonger, leastLost] = [0.99, 8, 2 * hour];

/** Exchanges whose shares are suspended for days and months, which a table does not tell from lost rows. */
const suspending = ['Shanghai'];

/** Learns from a table when its market is open: always, or in which hours or days of the week. */
export class Sessions {
  readonly #rows: WeekRows;
  readonly #open: OpenHours;
  #rest: RestDays | undefined;
  #hours: BusyHours | undefined;
  /** True if whole days without a row may be closures of a market that no calendar here knows. */
  areClosuresUnknown = false;

  /** `length` is the interval in seconds. */
  constructor(length: number) {
    this.#rows = new WeekRows(length);
    this.#open = new OpenHours(this.#rows);
  }

  add(start: number): void {
    this.#rows.add(start);
  }

  addHole(hole: Hole): void {
    this.#rows.addHole(hole);
  }

  /** The time from the first row to the last, in seconds. */
  get #span(): number {
    return this.#rows.to - this.#rows.from;
  }

  /** True if rows cover all days and hours, except for a few holes. */
  get isRestless(): boolean {
    return this.#rows.isRestless;
  }

  /** Returns the parts of the holes within the sessions; none if the table does not show sessions. */
  rate(holes: readonly Hole[]): Map<Hole, RatedHole> {
    if (this.#rows.length === week) return rateWeeks(holes, this.#rows);
    if (this.isRestless)
      return new Map(
        holes.map((hole) => [
          hole,
          {
            ...hole,
            rows: countIntervals(hole, this.#rows.length),
            isCertain: !isCalendar(this.#rows.length),
          },
        ]),
      );
    this.#hours = this.#rows.length < day ? new BusyHours(holes, this.#rows) : undefined;
    if (this.#span < fewestSessionDays * day) return this.#rateShort(holes);
    const inside = new Map(holes.map((hole) => [hole, this.#open.findInside(hole)]));
    const rest = new RestDays(this.#rows, this.#open, [...inside.values()]);
    this.#rest = rest;
    const { holidays } = rest;
    const unexplained = [...inside].filter(([, part]) => part.rows === 0 || !rest.explains(part));
    const years = this.#span / (366 * day);
    const singles = unexplained.filter(([, part]) => this.#isFewDays(part));
    const areSingles = !holidays.areKnown && singles.length >= fewestClosures * Math.max(1, years);
    const whole = unexplained.filter(([, part]) => this.#isClosure(part));
    const closures = new Set(areSingles ? singles : whole);
    const areHolidays = !holidays.areKnown || closures.size > fewClosures;
    this.areClosuresUnknown = closures.size > 0 && areHolidays;
    const rated = unexplained.filter(
      (hole) => !(areHolidays && closures.has(hole)) && !isOfMovedSession(hole[1], this.#rows, this.#open),
    );
    const suspected = rated.filter(([, { rows }]) => rows > 0);
    if (this.#rows.areMany(suspected.length)) return this.#rateLongest(suspected);
    const isUsual = (part: InsideHole): boolean =>
      part.rows === 0 || this.#isHabit(part, suspected) || this.#areSuspensions(holidays);
    return new Map(
      rated.map(([hole, part]) => [
        hole,
        isUsual(part) ? this.#rateUsual(hole, part) : this.#leaveOutHolidays(part),
      ]),
    );
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
    return {
      first,
      last,
      rows: countIntervals(hole, this.#rows.length),
      isCertain: false,
      isOfBusyHours: found === 'busy',
    };
  }

  /** Does not count the days in a hole of days on which the exchange is closed. */
  #leaveOutHolidays(part: InsideHole): RatedHole {
    const { rows, days } = part;
    const closed = this.#rest?.holidays.exchange?.closed;
    if (closed === undefined || this.#rows.length !== day) return part;
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
      rows * this.#rows.length >= leastLost &&
      oddsOfRun(sizes.length, sizes.length * (1 - 1 / mean), rows) > 0;
    return new Map(all.map(([hole, part]) => [hole, isLost(part) ? part : this.#rateUsual(hole, part)]));
  }

  /** Returns whether holes of this length are the market's habit, as minutes without a quote, or days of storms. */
  #isHabit({ rows }: RatedHole, all: readonly (readonly [Hole, RatedHole])[]): boolean {
    if (all.length <= Math.max(fewHabits, habit * this.#rows.rows)) return false;
    const longer = all.filter(([, other]) => other.rows > 1).length;
    return oddsOfRun(all.length, longer, rows - 1) === 0;
  }

  #areSuspensions({ exchange }: Holidays): boolean {
    return this.#rows.length === day && exchange !== undefined && suspending.includes(exchange.name);
  }

  /** Returns whether a hole within the week is of whole days, as a holiday is that no calendar here has. */
  #isClosure(hole: InsideHole): boolean {
    return this.#rows.length < day && hole.rows > 0 && this.#rest?.lacksDays(hole) === true;
  }

  /** Returns whether a hole of a table of days is one that a holiday makes. */
  #isFewDays({ rows }: InsideHole): boolean {
    return this.#rows.length === day && rows > 0 && rows <= longestClosure;
  }

  /** Returns whether a day, in days since 1970-01-01, is a holiday of the table's market, once its holes are rated. */
  isHoliday(date: number): boolean {
    return this.#rest !== undefined && isHoliday(date, this.#rest.holidays);
  }

  /** Returns whether a day is one on which the table's exchange is closed, once its holes are rated. */
  isClosed(date: number): boolean {
    return this.#rest?.isClosed(date) === true;
  }
}

/**
 * Rates the holes of a table of weeks. Weeks in which its exchange is closed are none, such as the first of October in Shanghai,
 * and many others show a market that is not quoted every week.
 */
function rateWeeks(holes: readonly Hole[], rows: WeekRows): Map<Hole, RatedHole> {
  const missing = new Set(holes.flatMap(listWeeks));
  const closed = findClosedWeeks(missing, [rows.from / day, rows.to / day]);
  const lost = holes.filter((hole) => !listWeeks(hole).every((start) => closed.has(start)));
  const isCertain = !rows.areMany(lost.length);
  return new Map(lost.map((hole) => [hole, { ...hole, rows: countIntervals(hole, rows.length), isCertain }]));
}

/** Lists the days, since 1970-01-01, on which the weeks of a hole start. */
function listWeeks(hole: Hole): number[] {
  const count = countIntervals(hole, week);
  return Array.from({ length: count }, (_, at) => Math.floor((hole.first + at * week) / day));
}
