import { day, intervalPhase } from '@candleproof/document/spec/interval';

/** Fewest days, and their share of all days of their weekday, that make a time of the day the session's own. */
const [fewestDays, leastDays] = [20, 0.5];

/**
 * Share of the days of a weekday that is enough for a time which half of all days have: nights that began in the middle of a
 * table are on 150 of 288 Wednesdays, and on 141 of 284 Fridays.
 */
const leastOfWeekday = 0.25;

/** Times of the day that are counted; a table with more has no session at them. */
const mostTimes = 2000;

/** The days with a row at a time of the day, by weekday, and the last of them. */
type DaysOfTime = { readonly counts: number[]; newest: number };

/**
 * Learns the times of the day off the grid at which most days of a table have a row, as breaks and openings make them.
 * Days on which no row is on the grid do not count: their rows have moved.
 */
export class OwnTimes {
  readonly #times = new Map<number, DaysOfTime>();
  /** Days with a row on the grid, by weekday. */
  readonly #days = [0, 0, 0, 0, 0, 0, 0];
  /** End of the day of the newest row on the grid, in Unix seconds. */
  #dayEnd = Number.NaN;
  /** Starts off the grid on a day that has no row on the grid yet. */
  #early: number[] = [];

  /** Notes a start on the grid, of which the first of a day begins it. */
  pass(slot: number): void {
    if (slot < this.#dayEnd && slot >= this.#dayEnd - day) return;
    const date = Math.floor(slot / day);
    this.#dayEnd = (date + 1) * day;
    this.#days[weekday(date)] = (this.#days[weekday(date)] as number) + 1;
    const early = this.#early;
    this.#early = [];
    for (const start of early) if (Math.floor(start / day) === date) this.#count(start);
  }

  /** Counts a row off the grid. Returns whether it is the first at its time of the day. */
  add(start: number): boolean {
    const date = Math.floor(start / day);
    const isNew = !this.#times.has(intervalPhase(start, day));
    if ((date + 1) * day === this.#dayEnd) this.#count(start);
    else if (this.#early.length < mostTimes) this.#early.push(start);
    return isNew;
  }

  isOwn(start: number): boolean {
    const { counts = [] } = this.#times.get(intervalPhase(start, day)) ?? {};
    const at = weekday(Math.floor(start / day));
    const { [at]: own = 0 } = counts;
    const all = counts.reduce((sum, count) => sum + count, 0);
    const ofWeekday = own / (this.#days[at] as number);
    const ofAll = all / this.#days.reduce((sum, count) => sum + count, 0);
    const isUsual = ofWeekday >= leastDays || (ofAll >= leastDays && ofWeekday >= leastOfWeekday);
    return all >= fewestDays && own > 0 && isUsual;
  }

  /** Lists the times of the day, in seconds, that are the session's own on some weekday. */
  list(): number[] {
    const dates = [0, 1, 2, 3, 4, 5, 6];
    return [...this.#times.keys()].filter((time) => dates.some((date) => this.isOwn(date * day + time)));
  }

  #count(start: number): void {
    const [time, date] = [intervalPhase(start, day), Math.floor(start / day)];
    const known = this.#times.get(time) ?? { counts: [0, 0, 0, 0, 0, 0, 0], newest: Number.NaN };
    if (known.newest === date || (this.#times.size >= mostTimes && !this.#times.has(time))) return;
    this.#times.set(time, known);
    known.newest = date;
    known.counts[weekday(date)] = (known.counts[weekday(date)] as number) + 1;
  }
}

/** Returns the day of the week of a day since 1970-01-01; 0 is a Thursday. */
function weekday(date: number): number {
  return ((date % 7) + 7) % 7;
}
