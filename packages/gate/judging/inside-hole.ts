import { day, intervalPhase, week } from '@candleproof/document/spec/interval';

/** Missing intervals: first and last start, Unix seconds. */
export type Hole = { readonly first: number; readonly last: number };

/**
 * The part of a hole within the sessions and outside holidays, and whether only damage explains it. `isOfBusyHours` is
 * true if other days have nearly all of these intervals, so that no lack of trades explains it.
 */
export type RatedHole = Hole & {
  readonly rows: number;
  readonly isCertain: boolean;
  readonly isOfBusyHours?: boolean;
};

/**
 * A hole with its days, since 1970-01-01, and the number of missing intervals of each, and the longest time in it, in
 * seconds, for which the market is closed. Days in the middle of a hole of many weeks are left out.
 */
export type InsideHole = RatedHole & { readonly days: ReadonlyMap<number, number>; readonly pause: number };

/** Counts the intervals of a hole. `length` is the interval in seconds. */
export function countIntervals({ first, last }: Hole, length: number): number {
  return Math.round((last - first) / length) + 1;
}

/** An interval and a part of the week, in seconds. */
export type WeekParts = { readonly length: number; readonly size: number };

/** Intervals of a hole in one part of one week: the first start and how many. */
export type PartOfHole = { readonly part: number; readonly start: number; readonly count: number };

/** A Sunday, on which clocks change, in Unix seconds: hours are those of one clock within a week. */
export const sunday = 259_200;

/** Returns the part of the week in which a time is. */
export function findPart(start: number, size: number): number {
  return Math.floor(intervalPhase(start - sunday, week) / size);
}

/** Lists the intervals of a hole by the parts of its weeks, so that short intervals take no longer. */
export function* listParts({ first, last }: Hole, { length, size }: WeekParts): Generator<PartOfHole> {
  for (let start = first; start <= last; ) {
    const end = Math.min(last, start - intervalPhase(start - sunday, size) + size - 1);
    const count = Math.floor((end - start) / length) + 1;
    yield { part: findPart(start, size), start, count };
    start += count * length;
  }
}

/** Weeks at both ends of a hole that are walked through; between them no week is near rows, and each is like the next. */
const walkedWeeks = 8;

/** Returns the intervals of a hole in one part of the week in which the market is open; undefined if it is closed. */
export type FindOpen = (part: PartOfHole) => Hole | undefined;

/** Finds the open intervals of a hole, in a time that no length of the hole exceeds. */
export function findInside(hole: Hole, parts: WeekParts, findOpen: FindOpen): InsideHole {
  const inside = new OpenIntervals(hole, parts, findOpen);
  const edge = walkedWeeks * week;
  const between = hole.last - hole.first - 2 * edge;
  if (between < week) inside.walk(hole);
  else {
    const sample = hole.first + edge - week;
    inside.walk({ first: hole.first, last: sample - 1 });
    const before = inside.rows;
    inside.walk({ first: inside.next, last: sample + week - 1 });
    inside.jump(Math.floor(between / week), inside.rows - before);
    inside.walk({ first: inside.next, last: hole.last });
  }
  return inside.end();
}

class OpenIntervals {
  rows = 0;
  /** The first start that was not walked over. */
  next: number;
  readonly #hole: Hole;
  readonly #parts: WeekParts;
  readonly #findOpen: FindOpen;
  readonly #days = new Map<number, number>();
  #first: number;
  #last: number;
  #pause = 0;
  #closed: number;

  constructor(hole: Hole, parts: WeekParts, findOpen: FindOpen) {
    this.#hole = hole;
    this.#parts = parts;
    this.#findOpen = findOpen;
    this.#first = this.next = this.#closed = hole.first;
    this.#last = hole.last;
  }

  walk(section: Hole): void {
    const { length } = this.#parts;
    for (const part of listParts(section, this.#parts)) {
      this.next = part.start + part.count * length;
      const open = this.#findOpen(part);
      if (open === undefined) continue;
      const { first, last } = open;
      const count = countIntervals(open, length);
      if (this.rows === 0) this.#first = first;
      this.rows += count;
      this.#last = last;
      this.#pause = Math.max(this.#pause, first - this.#closed);
      this.#closed = last + length;
      const date = Math.floor(first / day);
      this.#days.set(date, (this.#days.get(date) ?? 0) + count);
    }
  }

  /** Passes over weeks that each have as many open intervals. */
  jump(weeks: number, rows: number): void {
    const { length } = this.#parts;
    const passed = Math.floor((weeks * week) / length) * length;
    this.rows += Math.round((rows * passed) / week);
    this.next += passed;
    if (rows > 0) this.#closed += passed;
  }

  end(): InsideHole {
    const pause = Math.max(this.#pause, this.#hole.last + this.#parts.length - this.#closed);
    return {
      ...{ first: this.#first, last: this.#last, rows: this.rows },
      ...{ days: this.#days, pause, isCertain: false },
    };
  }
}
