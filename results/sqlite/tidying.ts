import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { beginOf, day } from '../calendar.ts';
import type { Retention } from '../retention.ts';
import { RollUpWriter } from './roll-up-rows.ts';
import { RollingUp } from './rolling-up.ts';

/** What is forgotten in one go of those that are not forgotten day by day. */
const mostRows = 5000;

/** Rolls up and forgets, a UTC day at a time; the caller holds a transaction around each piece. */
export class Tidying {
  readonly #rollingUp: RollingUp;
  readonly #hours: RollUpWriter;
  readonly #retention: Retention;
  readonly #firstOf: Readonly<Record<'slots' | 'hours', StatementSync>>;
  readonly #forgetSlots: readonly StatementSync[];
  readonly #forgetRows: readonly (readonly [keyof Retention, StatementSync])[];

  constructor(database: DatabaseSync, retention: Retention) {
    this.#rollingUp = new RollingUp(database);
    this.#hours = new RollUpWriter(database, 'hours');
    this.#retention = retention;
    this.#firstOf = {
      slots: database.prepare('SELECT min(planned) AS first FROM slots WHERE planned < ?'),
      hours: database.prepare('SELECT min(begin) AS first FROM hours WHERE begin < ?'),
    };
    this.#forgetSlots = ['slots', 'samples'].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE planned < ?`),
    );
    const forget = (table: string, key: string, time: string): StatementSync =>
      database.prepare(
        `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${time} < ? LIMIT ${mostRows})`,
      );
    this.#forgetRows = [
      ['keepHoursDays', forget('events', 'event', 'at')],
      ['keepHoursDays', forget('quotas', 'hour, key', 'hour')],
      ['keepRawDays', forget('pins', 'target, interval, pool, start', 'last_seen')],
    ];
  }

  /** Does the next piece of what there is to do at `now`; false where there was nothing. */
  piece(now: number): boolean {
    return (
      this.#rollingUp.next(now) ||
      this.#forgetSlotsAt(now) ||
      this.#forgetHoursAt(now) ||
      this.#forgetRowsAt(now)
    );
  }

  /** What is over was rolled up before. */
  #forgetSlotsAt(now: number): boolean {
    const to = this.#endOfNext('slots', now - this.#retention.keepRawDays * day);
    if (to === undefined) return false;
    for (const each of this.#forgetSlots) each.run(to);
    return true;
  }

  #forgetHoursAt(now: number): boolean {
    const { keepRawDays, keepHoursDays } = this.#retention;
    const to = this.#endOfNext('hours', now - Math.max(keepHoursDays, keepRawDays) * day);
    if (to !== undefined) this.#hours.forget({ from: 0, to });
    return to !== undefined;
  }

  /** End of the oldest day in a table, where all of it lies before an instant. */
  #endOfNext(table: 'slots' | 'hours', before: number): number | undefined {
    const first = this.#firstOf[table].get(beginOf(before, day))?.first;
    return typeof first === 'number' ? beginOf(first, day) + day : undefined;
  }

  #forgetRowsAt(now: number): boolean {
    return this.#forgetRows.some(([kept, forget]) => {
      const before = now - this.#retention[kept] * day;
      return Number.isFinite(before) && forget.run(before).changes > 0;
    });
  }
}
