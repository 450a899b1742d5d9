import { day, hour, stamp } from '@candleproof/document/spec/interval';
import { thousands } from '@candleproof/law/reading/words';
import type { TakeRow } from './candle-table.ts';
import { isEvening, learnNights, type NightHours } from './night-hours.ts';
import type { TableRow } from './table.ts';

/** Most rows that are held until nights show their custom: a week of minutes has 7,000. */
const mostHeld = 20_000;

/** Time by which a later night may begin before those that showed the custom. */
const mayBeEarlier = hour;

/** Longest time without a row, in days, before a night of the day of trading before it: holidays last ten. */
const longestHoliday = 14;

/**
 * Reads the nights of tables that give them the date of the day of trading that follows, as futures of China have it: rows
 * of 21:00 to 2:30 stand before 9:00 of the same date. Holds rows only from one that may begin such a night on, until the
 * dates after it show that nights do so.
 */
export class NightDates {
  readonly #take: TakeRow;
  #held: TableRow[] = [];
  #mover: NightMover | undefined;
  /** End of the date of the last row, in Unix seconds. */
  #dayEnd = Number.NEGATIVE_INFINITY;
  #last = Number.NaN;
  /** The start of the row before the held ones. */
  #before = Number.NaN;

  constructor(take: TakeRow) {
    this.#take = take;
  }

  /** Says which nights were read at their own dates; empty for none. */
  get notes(): readonly string[] {
    return this.#mover === undefined ? [] : [this.#mover.note];
  }

  /** Passes the row on at its own time, at once or after others. */
  take(row: TableRow): void {
    if (this.#mover !== undefined) {
      this.#mover.move(row);
      this.#take(row);
      return;
    }
    const { start } = row;
    const isNew = !(start < this.#dayEnd && start >= this.#dayEnd - day);
    if (this.#held.length > 0 && isNew) {
      this.#weigh();
      if (this.#mover !== undefined) {
        this.take(row);
        return;
      }
    }
    const mayBegin = isNew && start >= this.#dayEnd && isEvening(start - Math.floor(start / day) * day);
    if (isNew) this.#dayEnd = (Math.floor(start / day) + 1) * day;
    if (mayBegin && this.#held.length === 0) this.#before = this.#last;
    this.#last = start;
    if (this.#held.length > 0 || mayBegin) this.#hold(row);
    else this.#take(row);
  }

  end(): void {
    this.#weigh();
    this.#release();
  }

  #hold(row: TableRow): void {
    this.#held.push({ ...row });
    if (this.#held.length > mostHeld) this.#release();
  }

  /** Decides about the held rows, unless more dates can. */
  #weigh(): void {
    const hours = learnNights(this.#held.map(({ start }) => start));
    if (hours === 'open') return;
    if (hours !== undefined) this.#mover = new NightMover(hours, this.#before);
    this.#release();
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    for (const row of held) {
      this.#mover?.move(row);
      this.#take(row);
    }
  }
}

/** Moves the rows of nights from the date of the day that follows to their own. */
class NightMover {
  readonly #from: number;
  readonly #morning: number;
  #rows = 0;
  #example = '';
  /** The date of the rows of the last night, and its own, in days since 1970. */
  #written = Number.NaN;
  #own = Number.NaN;
  /** The date of the last row of a day. */
  #day = Number.NaN;
  #before: number;

  /** @param before the start of the row before those to move, if there is one */
  constructor({ evening, morning }: NightHours, before: number) {
    this.#from = evening - mayBeEarlier;
    this.#morning = morning;
    this.#before = before;
  }

  get note(): string {
    return `${thousands(this.#rows)} rows of nights bear the date of the day of trading that follows and are read at their own: ${this.#example}`;
  }

  move(row: TableRow): void {
    const date = Math.floor(row.start / day);
    const time = row.start - date * day;
    const isLate = time >= this.#from;
    if (isLate && date !== this.#written && date !== this.#day) this.#begin(date, time);
    if (!isLate && (time >= this.#morning || date !== this.#written)) this.#day = date;
    if (date === this.#written && date !== this.#day) {
      const start = (isLate ? this.#own : this.#own + 1) * day + time;
      this.#rows++;
      this.#example ||= `${stamp(row.start)} at ${stamp(start)}`;
      row.start = start;
    }
    this.#before = row.start;
  }

  /** Begins a night on the date of the row before, or on the weekday before if that cannot be. */
  #begin(date: number, time: number): void {
    const before = Math.floor(this.#before / day);
    const isPossible = before < date && date - before <= longestHoliday && this.#before < before * day + time;
    const own = isPossible ? before : findWeekdayBefore(date);
    this.#written = date;
    // A market that goes on until the day is closed at weekends, and opens in the evening before the day.
    this.#own = this.#morning > 0 ? own : date - 1;
  }
}

/** Returns the last day before one that is from Monday to Friday; 0 is a Thursday. */
function findWeekdayBefore(date: number): number {
  const weekday = (date + 3) % 7;
  if (weekday === 0) return date - 3;
  return weekday === 6 ? date - 2 : date - 1;
}
