import { day, roundToBegin } from '../hour-record.ts';
import type { Retention, Span } from '../results-store.ts';
import { eventTable, pinTable, quotaTable } from '../tables/facts.ts';
import { type RollUpLength, rollUpRow, rollUpTables } from '../tables/roll-ups.ts';
import type { StoredRow, StoredTable } from '../tables/table.ts';
import type { DatabaseConnection } from './database.ts';
import { lengths, makeRollUps, readChanged } from './roll-ups.ts';
import { readSeriesNumbers } from './series.ts';

/** Number of rows to delete at a time from tables that are not deleted day by day. */
const mostRows = 5000;

/**
 * Sums up the oldest UTC day that has something to sum up and was over at `now` (Unix ms); false if there was none.
 * Belongs into `upkeep`.
 */
export async function rollUp(connection: DatabaseConnection, now: number): Promise<boolean> {
  const first = await firstToRollUp(connection, now);
  if (first === undefined) return false;
  const from = roundToBegin(first, day);
  const numbered = await readSeriesNumbers(connection);
  const numbers = new Map([...numbered].map(([number, series]) => [series, number]));
  for (const table of ['hours', 'days'] as const) {
    const over = { from, to: Math.min(from + day, now - lengths[table] + 1) };
    const places = (await readChanged(connection, table, over)).filter(({ begin }) => begin >= from);
    const records = await makeRollUps(connection, table, places, numbered);
    const rows = records.map((record) => rollUpRow(table, numbers.get(record.series) ?? 0, record));
    await connection.put(rollUpTables[table], rows, { onConflict: 'replace' });
    await forget(connection, `changed_${table}`, 'begin', over);
  }
  return true;
}

const selectChanged = {
  hours: 'SELECT min(begin) FROM results.changed_hours WHERE begin < $1',
  days: 'SELECT min(begin) FROM results.changed_days WHERE begin < $1',
} as const;

/** Returns the beginning of the oldest record, of an hour or else a day, that is to be made and was over at `now`. */
export async function firstToRollUp(
  connection: DatabaseConnection,
  now: number,
): Promise<number | undefined> {
  const readFirst = async (table: RollUpLength): Promise<number | undefined> =>
    readNumber(await connection.query(selectChanged[table], [now - lengths[table] + 1]));
  return (await readFirst('hours')) ?? (await readFirst('days'));
}

/**
 * Does the next piece of what there is to roll up and to forget at `now` (Unix ms), a UTC day at a time; false if
 * there was nothing. Belongs into `upkeep`.
 */
export async function tidyPiece(
  connection: DatabaseConnection,
  now: number,
  retention: Retention,
): Promise<boolean> {
  const { keepRawDays, keepHoursDays } = retention;
  const [raw, hours] = [now - keepRawDays * day, now - keepHoursDays * day];
  return (
    (await rollUp(connection, now)) ||
    (await forgetDay(connection, ['slots', 'samples'], 'planned', raw)) ||
    (await forgetDay(connection, ['hours'], 'begin', Math.min(raw, hours))) ||
    (await forgetRows(connection, eventTable, 'at', hours)) ||
    (await forgetRows(connection, quotaTable, 'hour', hours)) ||
    (await forgetRows(connection, pinTable, 'last_seen', raw))
  );
}

/** Deletes the oldest day of tables if it ended before an instant; it has been rolled up before. */
async function forgetDay(
  connection: DatabaseConnection,
  tables: readonly [string, ...string[]],
  time: string,
  before: number,
): Promise<boolean> {
  if (!Number.isFinite(before)) return false;
  const first = await readFirstBefore(connection, tables[0], time, roundToBegin(before, day));
  if (first === undefined) return false;
  const from = roundToBegin(first, day);
  for (const table of tables) await forget(connection, table, time, { from, to: from + day });
  return true;
}

async function forget(
  { query }: DatabaseConnection,
  table: string,
  time: string,
  { from, to }: Span,
): Promise<void> {
  await query(`DELETE FROM results.${table} WHERE ${time} >= $1 AND ${time} < $2`, [from, to]);
}

async function forgetRows(
  { query }: DatabaseConnection,
  { name, key }: StoredTable,
  time: string,
  before: number,
): Promise<boolean> {
  if (!Number.isFinite(before)) return false;
  const columns = key.join(', ');
  const rows = await query(
    `DELETE FROM results.${name} WHERE (${columns}) IN
     (SELECT ${columns} FROM results.${name} WHERE ${time} < $1 LIMIT ${mostRows}) RETURNING ${time}`,
    [Math.floor(before)],
  );
  return rows.length > 0;
}

async function readFirstBefore(
  { query }: DatabaseConnection,
  table: string,
  time: string,
  before: number,
): Promise<number | undefined> {
  return readNumber(await query(`SELECT min(${time}) FROM results.${table} WHERE ${time} < $1`, [before]));
}

function readNumber([row]: readonly StoredRow[]): number | undefined {
  const value = row?.[0];
  return typeof value === 'number' ? value : undefined;
}
