import { day, roundToBegin } from '../calendar.ts';
import type { Retention, Span } from '../results-store.ts';
import { eventTable, pinTable, quotaTable } from '../tables/facts.ts';
import { lengths, type RollUpLength, rollUpRow, rollUpTables } from '../tables/roll-ups.ts';
import type { StoredRow, StoredTable } from '../tables/table.ts';
import type { DatabaseConnection } from './database.ts';
import { readSeriesNumbers } from './series.ts';
import { plain, type Sql, sql, table } from './sql.ts';
import { makeRollUps, readChanged } from './stored-roll-ups.ts';

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
  for (const length of ['hours', 'days'] as const) {
    const over = { from, to: Math.min(from + day, now - lengths[length] + 1) };
    const places = (await readChanged(connection, length, over)).filter(({ begin }) => begin >= from);
    const records = await makeRollUps(connection, length, places, numbered);
    const rows = records.map((record) => rollUpRow(length, numbers.get(record.series) ?? 0, record));
    await connection.put(rollUpTables[length], rows, { onConflict: 'replace' });
    await forget(connection, `changed_${length}`, 'begin', over);
  }
  return true;
}

/** Returns the beginning of the oldest record, of an hour or else a day, that is to be made and was over at `now`. */
export async function firstToRollUp(
  connection: DatabaseConnection,
  now: number,
): Promise<number | undefined> {
  const first = (length: RollUpLength): Sql =>
    sql`(SELECT min(begin) FROM ${table(`changed_${length}`)} WHERE begin < ${now - lengths[length] + 1})`;
  return readNumber(
    await connection.query(sql`SELECT coalesce(${first('hours')}, ${first('days')}) AS first`),
  );
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
  for (const name of tables) await forget(connection, name, time, { from, to: from + day });
  return true;
}

async function forget(
  { query }: DatabaseConnection,
  name: string,
  time: string,
  { from, to }: Span,
): Promise<void> {
  await query(sql`DELETE FROM ${table(name)} WHERE ${plain(time)} >= ${from} AND ${plain(time)} < ${to}`);
}

async function forgetRows(
  { query }: DatabaseConnection,
  { name, key }: StoredTable,
  time: string,
  before: number,
): Promise<boolean> {
  if (!Number.isFinite(before)) return false;
  const columns = plain(key.join(', '));
  const rows = await query(
    sql`DELETE FROM ${table(name)} WHERE (${columns}) IN
      (SELECT ${columns} FROM ${table(name)} WHERE ${plain(time)} < ${Math.floor(before)} LIMIT ${plain(mostRows)})
      RETURNING ${plain(time)}`,
  );
  return rows.length > 0;
}

async function readFirstBefore(
  { query }: DatabaseConnection,
  name: string,
  time: string,
  before: number,
): Promise<number | undefined> {
  return readNumber(
    await query(sql`SELECT min(${plain(time)}) FROM ${table(name)} WHERE ${plain(time)} < ${before}`),
  );
}

function readNumber([row]: readonly StoredRow[]): number | undefined {
  const value = row?.[0];
  return typeof value === 'number' ? value : undefined;
}
