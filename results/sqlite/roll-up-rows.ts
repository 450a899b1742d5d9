import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { day, hour } from '../calendar.ts';
import type { HourRecord } from '../hour-record.ts';
import type { ProbeSeries } from '../probe-record.ts';
import type { Span } from '../results-store.ts';
import type { RollUpPlace } from '../rows/roll-up-places.ts';
import { cellsOfRollUp, rollUpOf } from '../rows/roll-up-row.ts';

/** The roll-ups of one length: `hours` and `changed_hours`, or `days` and `changed_days`. */
export class RollUpRows {
  readonly length: number;
  readonly #read: StatementSync;
  readonly #changed: StatementSync;
  readonly #firstChanged: StatementSync;

  constructor(database: DatabaseSync, table: 'hours' | 'days') {
    this.length = table === 'hours' ? hour : day;
    const touched = 'WHERE begin > ? AND begin < ?';
    this.#read = database.prepare(`
      SELECT * FROM ${table} AS rolled ${touched} AND NOT EXISTS
      (SELECT 1 FROM changed_${table} AS c WHERE c.begin = rolled.begin AND c.series = rolled.series)`);
    this.#changed = database.prepare(`SELECT * FROM changed_${table} ${touched} ORDER BY begin, series`);
    this.#firstChanged = database.prepare(
      `SELECT min(begin) AS begin FROM changed_${table} WHERE begin <= ?`,
    );
  }

  /** The records that are still true, of what the span touches. */
  within({ from, to }: Span, numbered: ReadonlyMap<number, ProbeSeries>): HourRecord[] {
    return this.#read.all(from - this.length, to).flatMap((row) => {
      const series = numbered.get(Number(row.series));
      return series ? [recordOfRow(series, row)] : [];
    });
  }

  /** The places in the touched time whose records are not there or no longer true. */
  changed({ from, to }: Span): RollUpPlace[] {
    return this.#changed.all(from - this.length, to) as RollUpPlace[];
  }

  /** Beginning of the oldest record that is to be made and was over at `now`. */
  firstChanged(now: number): number | undefined {
    const begin = this.#firstChanged.get(now - this.length)?.begin;
    return typeof begin === 'number' ? begin : undefined;
  }
}

/** Puts roll-ups where `RollUpRows` finds them. */
export class RollUpWriter {
  readonly #put: StatementSync;
  readonly #settle: StatementSync;
  readonly #forget: StatementSync;

  constructor(database: DatabaseSync, table: 'hours' | 'days') {
    this.#put = database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?, ?, ?, ?)`);
    this.#settle = database.prepare(`DELETE FROM changed_${table} WHERE begin = ? AND series = ?`);
    this.#forget = database.prepare(`DELETE FROM ${table} WHERE begin >= ? AND begin < ?`);
  }

  put(series: number, record: HourRecord): void {
    const [begin, ...cells] = cellsOfRollUp(record);
    this.#put.run(begin, series, ...cells);
  }

  /** Notes that nothing is left to do at these places. */
  settle(places: readonly RollUpPlace[]): void {
    for (const { begin, series } of places) this.#settle.run(begin, series);
  }

  forget({ from, to }: Span): void {
    this.#forget.run(from, to);
  }
}

/** A file of an earlier layout, that is only read, lacks the newer columns. */
function recordOfRow(series: ProbeSeries, row: Record<string, unknown>): HourRecord {
  const {
    begin,
    figures,
    certificate_end: certificateEnd,
    rules = null,
    degraded_by: degradedBy = null,
  } = row;
  return rollUpOf(series, [
    Number(begin),
    figures as Uint8Array,
    ...([certificateEnd, rules, degradedBy] as [number | null, string | null, string | null]),
  ]);
}
