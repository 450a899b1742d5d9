import { day, hour } from '@candleproof/document/spec/interval';
import { findInside, findPart, type Hole, type InsideHole, sunday } from './inside-hole.ts';
import { findWeek, type WeekRows } from './week-rows.ts';

/** Least share of rows in a part of the week in which the market is open, since a sixth of the Mondays can be holidays. */
const openShare = 0.8;

/** Weeks on each side that show the hours then: clocks change and sessions are extended; fewest of both, and their share. */
const [nearWeeks, fewestNear, nearShare] = [6, 4, 2 / 3];

/** Tells in which hours or days of the week a table's market is open, by the weeks around a time. */
export class OpenHours {
  readonly #rows: WeekRows;
  readonly #openOfDay = new Map<number, number>();
  #near = { place: Number.NaN, isOpen: false as boolean | undefined };
  #nearRows = { own: Number.NaN, isNear: false };

  constructor(rows: WeekRows) {
    this.#rows = rows;
  }

  isOpen(start: number): boolean {
    return this.#isOpenPart(findPart(start, this.#rows.size), 0, start);
  }

  /** Counts the intervals of a day in which the market is open; once, since many holes may be of one day. */
  countOpen(date: number): number {
    const known = this.#openOfDay.get(date) ?? this.#countOpenOnce(date);
    this.#openOfDay.set(date, known);
    return known;
  }

  #countOpenOnce(date: number): number {
    const { size, length } = this.#rows;
    const starts = Array.from({ length: day / size }, (_, at) => date * day + at * size);
    return starts.filter((start) => this.isOpen(start)).length * Math.max(1, size / length);
  }

  /** Finds the missing intervals in open parts of the week, which are learnt without those of the hole. */
  findInside(hole: Hole): InsideHole {
    const own = this.#rows.countMissing(hole);
    return findInside(hole, this.#rows.parts, ({ part, start, count }) =>
      this.#isOpenPart(part, own.get(part) ?? 0, start)
        ? this.#rows.findUsualTimes({ first: start, last: start + (count - 1) * this.#rows.length })
        : undefined,
    );
  }

  /**
   * Returns whether the market is open in a part of the week, by the weeks around a start, or by all weeks without `own`
   * missing intervals of the part.
   */
  #isOpenPart(part: number, own: number, start: number): boolean {
    const place = Math.floor((start - sunday) / this.#rows.size);
    if (place !== this.#near.place) this.#near = { place, isOpen: this.#isOpenNear(part, start) };
    if (this.#near.isOpen !== undefined) return this.#near.isOpen;
    const [present, missing] = [this.#rows.present[part] as number, this.#rows.missing[part] as number];
    return present > 0 && present >= openShare * (present + missing - own);
  }

  /** Returns whether the weeks before and after have rows in the part; undefined if they are too few. */
  #isOpenNear(part: number, start: number): boolean | undefined {
    const rows = this.#rows;
    if (rows.size === day) return undefined;
    const own = findWeek(start);
    if (!this.#isNearRows(own)) return undefined;
    const sides = [-1, 1].map((way) =>
      Array.from({ length: nearWeeks }, (_, at) => own + way * (at + 1)).filter((each) =>
        rows.isWithin(each, part),
      ),
    );
    if (sides.flat().length < fewestNear) return undefined;
    const [open, other] = sides.filter(
      (side) =>
        side.length > 0 && side.filter((each) => rows.hasRows(each, part)).length >= nearShare * side.length,
    );
    if (open === undefined) return false;
    return other !== undefined || this.#hasHours(open[0] as number, own, part);
  }

  /** Returns whether enough weeks near one have rows; remembered, since the parts of a week come one after the other. */
  #isNearRows(own: number): boolean {
    if (own !== this.#nearRows.own) {
      let count = 0;
      for (let apart = 1; apart <= nearWeeks; apart++)
        count += Number(this.#rows.hasWeek(own - apart)) + Number(this.#rows.hasWeek(own + apart));
      this.#nearRows = { own, isNear: count >= fewestNear };
    }
    return this.#nearRows.isNear;
  }

  /**
   * Returns whether a week has the hours of one near it, near a change of the clock or an end of the table: as the days
   * show that had the same hours around the part.
   */
  #hasHours(near: number, own: number, part: number): boolean {
    const rows = this.#rows;
    const [perDay, perHour] = [day / rows.size, Math.max(1, hour / rows.size)];
    const days = Array.from({ length: 7 }, (_, at) => (part % perDay) + at * perDay).filter(
      (at) => at !== part && rows.isWithin(own, at),
    );
    if (days.length === 0) return true;
    const alike = days.filter((at) =>
      [-perHour, 0, perHour].every(
        (apart) => rows.hasRows(near, at + apart) === rows.hasRows(near, part + apart),
      ),
    );
    // Half of them, for a week of holidays has short sessions.
    return alike.length > 0 && 2 * alike.filter((at) => rows.hasRows(own, at)).length >= alike.length;
  }
}
