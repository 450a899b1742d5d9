import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { beginOf, day, hour } from '../calendar.ts';

/** Keeps the list of hours and days whose roll-ups lack something. */
export class ChangedHours {
  readonly #note: StatementSync;
  readonly #noteDay: StatementSync;
  readonly #isNoted: StatementSync;
  readonly #hasHour: StatementSync;
  readonly #hasDay: StatementSync;
  readonly #hasSlot: StatementSync;

  constructor(database: DatabaseSync) {
    this.#note = database.prepare('INSERT INTO changed_hours VALUES (?, ?)');
    this.#noteDay = database.prepare('INSERT OR IGNORE INTO changed_days VALUES (?, ?)');
    this.#isNoted = database.prepare('SELECT 1 FROM changed_hours WHERE begin = ? AND series = ?');
    const between = 'series = ? AND begin >= ? AND begin < ?';
    this.#hasHour = database.prepare(`SELECT 1 FROM hours WHERE ${between}`);
    this.#hasDay = database.prepare('SELECT 1 FROM days WHERE series = ? AND begin = ?');
    this.#hasSlot = database.prepare(
      'SELECT 1 FROM slots WHERE series = ? AND planned >= ? AND planned < ? LIMIT 1',
    );
  }

  /**
   * Tells of each planned instant whether a slot of the series may be written there, and notes its hour then. It may
   * not where only the roll-up is left: the hour could not be rolled again without what was forgotten.
   */
  taker(series: number): (planned: number) => boolean {
    const known = new Map<number, boolean>();
    return (planned) => {
      const begin = beginOf(planned, hour);
      const takes = known.get(begin) ?? this.#take(series, begin);
      known.set(begin, takes);
      return takes;
    };
  }

  #take(series: number, begin: number): boolean {
    if (this.#isNoted.get(begin, series)) return true;
    if (this.#isForgotten(series, begin)) return false;
    this.#note.run(begin, series);
    this.#noteDay.run(beginOf(begin, day), series);
    return true;
  }

  #isForgotten(series: number, begin: number): boolean {
    const isRolled = this.#hasHour.get(series, begin, begin + hour);
    if (isRolled) return !this.#hasSlot.get(series, begin, begin + hour);
    const dayBegin = beginOf(begin, day);
    return Boolean(
      this.#hasDay.get(series, dayBegin) && !this.#hasHour.get(series, dayBegin, dayBegin + day),
    );
  }
}
