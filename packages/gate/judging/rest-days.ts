import { day, hour, week } from '@candleproof/document/spec/interval';
import { areOfClosure } from './exchange-days.ts';
import {
  findHolidays,
  type Holidays,
  isFeast,
  isHoliday,
  isRestEverywhere,
  isRestOfUnitedStates,
} from './holidays.ts';
import { type InsideHole, sunday } from './inside-hole.ts';
import type { OpenHours } from './open-hours.ts';
import type { WeekRows } from './week-rows.ts';

/** Days without a row in a row that can be holidays: China's golden week is 8 to 10 days from Friday to Monday. */
const longestHolidays = 10;

/** Days that a market without holidays may lack, by damage. */
const fewDays = 2;

/** Span in which markets that keep holidays have three and more. */
const halfYear = 180 * day;

/** Least share of a day's intervals without which it is a day of rest rather than one with a hole: 22 of 24 hours. */
const restShare = 0.9;

/** Most of a day's intervals, as a share, that are lost within a session rather than closed by a holiday: 3 of 24 hours. */
const shortShare = 1 / 8;

/** Time of a day for which a market of currencies, metals or futures is open at least. */
const allNight = 20 * hour;

/** Least share of the days of a hole that are closed in a closure: a venue that reopens may have no trade for some days more. */
const closedShare = 0.75;

/** Most days for which a market rests around a feast: a week for the new year by the moon. */
const longestFeast = 5;

/** Most rows around a weekend that a market without a trade lacks: the last of a Friday and the first of a Monday. */
const aroundWeekend = 2;

/** Tells which holes of a table its market's holidays explain. */
export class RestDays {
  readonly holidays: Holidays;
  /** Those with Easter Monday: a hole of it and Good Friday is Easter in any calendar. */
  readonly #withEaster: Holidays;
  readonly #rows: WeekRows;
  readonly #open: OpenHours;
  /** True if a table lacks so few days that its market keeps no holidays. */
  readonly #keepsNone: boolean;

  /** `inside` are all holes of the table. */
  constructor(rows: WeekRows, open: OpenHours, inside: readonly InsideHole[]) {
    this.#rows = rows;
    this.#open = open;
    this.holidays = this.#findHolidays(inside);
    this.#withEaster = { ...this.holidays, names: new Set([...this.holidays.names, 'Easter 1']) };
    const isLong = rows.length <= day && rows.to - rows.from >= halfYear;
    this.#keepsNone = isLong && this.#listLost(inside).length <= fewDays;
  }

  /** Finds holidays among the days of weeks with rows and of short holes: other days of a table show none. */
  #findHolidays(inside: readonly InsideHole[]): Holidays {
    const [from, to] = [this.#rows.from, this.#rows.to].map((time) => Math.floor(time / day)) as [
      number,
      number,
    ];
    // A longer hole is a suspension, or lost rows.
    const short = inside.filter(({ days }) => days.size <= longestHolidays);
    const missing = short.flatMap((hole) => (this.#isWithinSession(hole) ? [] : this.#listShortened(hole)));
    const ofWeeks = this.#rows
      .listWeeks()
      .flatMap((number) => Array.from({ length: 7 }, (_, at) => (sunday + number * week) / day + at));
    const dates = [...new Set([...ofWeeks, ...missing])].filter((date) => date >= from && date <= to);
    const isOpen = (date: number): boolean => this.#open.countOpen(date) > 0;
    const lost = this.#listLost(short).filter((date) => this.#rows.isUsual(date));
    return findHolidays({ dates, missing, lost }, isOpen);
  }

  /** Lists the days of a hole that lack more than an hour at the edge of a session. */
  #listShortened({ days }: InsideHole): number[] {
    return [...days].flatMap(([date, missing]) =>
      missing > shortShare * this.#open.countOpen(date) ? [date] : [],
    );
  }

  /** Lists the days of holes that lack nearly all of their rows. */
  #listLost(inside: readonly InsideHole[]): number[] {
    return inside.flatMap(({ days }) =>
      [...days].flatMap(([date, missing]) =>
        missing >= restShare * this.#open.countOpen(date) ? [date] : [],
      ),
    );
  }

  /**
   * Returns whether a holiday explains the hole, or a long weekend if the table has too few years to show its holidays.
   */
  explains(hole: InsideHole): boolean {
    const { rows, days, pause } = hole;
    if (this.#isWithinSession(hole)) return [...days.keys()].every((date) => this.#isShortDay(date, hole));
    if (pause >= day && rows <= aroundWeekend && this.#rows.length < hour) return true;
    if (areOfClosure([...days.keys()])) return true;
    // A session of a holiday may have begun in the evening before it.
    const least = Math.max(...days.values()) / 2;
    const main = [...days].flatMap(([date, missing]) => (missing >= least ? [date] : []));
    if (main.every((date) => this.#isRest(date, hole))) return true;
    const closed = main.filter((date) => this.isClosed(date));
    if (main.length > 1 && closed.length >= closedShare * main.length) return true;
    const isFeastWeek = this.#rows.length === day && main.length <= longestFeast && main.some(isFeast);
    if (!this.holidays.areKnown && isFeastWeek) return true;
    return pause >= day && this.lacksDays(hole);
  }

  /** Returns whether a day is a holiday, a short one, or of a weekday that has sessions now and then. */
  #isRest(date: number, hole: InsideHole): boolean {
    return (
      isHoliday(date, hole.days.size > 1 ? this.#withEaster : this.holidays) ||
      this.#isShortDay(date, hole) ||
      !this.#rows.isUsual(date)
    );
  }

  /**
   * Returns whether most markets rest or close early on the day of a hole, or the table's exchange does; those that trade
   * all night do so after noon on America's holidays.
   */
  #isShortDay(date: number, { first }: InsideHole): boolean {
    if (isRestEverywhere(date) || this.holidays.exchange?.short.has(date)) return true;
    const { length } = this.#rows;
    const isAfterNoon = length < day && first - date * day >= day / 2;
    return isAfterNoon && this.#open.countOpen(date) * length >= allNight && isRestOfUnitedStates(date);
  }

  /** Returns whether a hole is short, with open hours of its day before and after it: a holiday ends or fills a session. */
  #isWithinSession({ rows, days, pause }: InsideHole): boolean {
    const [date, ...others] = days.keys();
    if (date === undefined || others.length > 0 || pause > 0 || this.#rows.length >= day) return false;
    return rows <= shortShare * this.#open.countOpen(date);
  }

  /** Returns whether a day, in days since 1970-01-01, is one on which the table's exchange is closed. */
  isClosed(date: number): boolean {
    return this.holidays.exchange?.closed.has(date) === true;
  }

  /** Returns whether a hole in a table of few years is of whole days; the session before a holiday may be a short one. */
  lacksDays({ rows, days, pause }: InsideHole): boolean {
    const { length, from, to } = this.#rows;
    // Rows just before and after a few hours are of the same session.
    if (pause === 0 && rows * length < day / 2) return false;
    if (this.#keepsNone || rows * length > day || to - from >= 2 * 366 * day) return false;
    const isWhole = ([date, missing]: [number, number]): boolean =>
      missing >= restShare * this.#open.countOpen(date);
    return [...days].slice(days.size > 1 ? 1 : 0).every(isWhole);
  }
}
