import type { PostgresQuery } from '../../postgres/postgres-database.ts';
import { beginOf, day } from '../calendar.ts';
import type { Retention } from '../retention.ts';
import type { NumberedSeries } from '../rows/roll-up-places.ts';
import { cellsOfRollUp } from '../rows/roll-up-row.ts';
import { columnsOf } from './columns.ts';
import { changedPlaces, lengths, makeRollUps, type RollUpTable } from './roll-ups.ts';
import { numberedSeries } from './series-rows.ts';

/** What is forgotten in one go of those that are not forgotten day by day. */
const mostRows = 5000;

/**
 * Does the next piece of what there is to roll up and to forget at `now`, a UTC day at a time; false where there was
 * nothing. Belongs into a transaction that holds `upkeep`.
 */
export async function tidyPiece(query: PostgresQuery, now: number, keep: Retention): Promise<boolean> {
  return (
    (await rollUp(query, now)) ||
    (await forgetDay(query, ['slots', 'samples'], 'planned', now - keep.keepRawDays * day)) ||
    (await forgetDay(
      query,
      ['hours'],
      'begin',
      now - Math.max(keep.keepHoursDays, keep.keepRawDays) * day,
    )) ||
    (await forgetRows(query, 'events', 'at', now - keep.keepHoursDays * day)) ||
    (await forgetRows(query, 'quotas', 'hour', now - keep.keepHoursDays * day)) ||
    (await forgetRows(query, 'pins', 'last_seen', now - keep.keepRawDays * day))
  );
}

async function rollUp(query: PostgresQuery, now: number): Promise<boolean> {
  const first = (await firstChanged(query, 'hours', now)) ?? (await firstChanged(query, 'days', now));
  if (first === undefined) return false;
  const from = beginOf(first, day);
  const numbered = await numberedSeries(query);
  for (const table of ['hours', 'days'] as const) await rollUpDay(query, table, from, now, numbered);
  return true;
}

/** Beginning of the oldest record that is to be made and was over at `now`. */
async function firstChanged(
  query: PostgresQuery,
  table: RollUpTable,
  now: number,
): Promise<number | undefined> {
  return firstOf(query, `changed_${table}`, 'begin', now - lengths[table] + 1);
}

/** What is over at `now` of the UTC day that begins at `from`. */
async function rollUpDay(
  query: PostgresQuery,
  table: RollUpTable,
  from: number,
  now: number,
  numbered: NumberedSeries,
): Promise<void> {
  const touched = await changedPlaces(query, table, { from, to: from + day });
  const places = touched.filter(({ begin }) => begin >= from && begin + lengths[table] <= now);
  const numbers = new Map([...numbered].map(([number, series]) => [series, number]));
  const rows = (await makeRollUps(query, table, places, numbered)).map((record) => {
    const [begin, figures, ...rest] = cellsOfRollUp(record);
    return [begin, numbers.get(record.series), Buffer.from(figures), ...rest];
  });
  await query(
    `INSERT INTO results.${table}
     SELECT * FROM unnest($1::int8[], $2::int8[], $3::bytea[], $4::int8[], $5::text[], $6::text[])
     ON CONFLICT (begin, series) DO UPDATE SET (figures, certificate_end, rules, degraded_by) =
       (excluded.figures, excluded.certificate_end, excluded.rules, excluded.degraded_by)`,
    columnsOf(rows, 6),
  );
  await query(
    `DELETE FROM results.changed_${table} AS c USING unnest($1::int8[], $2::int8[]) AS done (begin, series)
     WHERE c.begin = done.begin AND c.series = done.series`,
    [places.map(({ begin }) => begin), places.map(({ series }) => series)],
  );
}

/** The oldest day of tables, where all of it lies before an instant; what is over was rolled up before. */
async function forgetDay(
  query: PostgresQuery,
  tables: readonly [string, ...string[]],
  time: string,
  before: number,
): Promise<boolean> {
  if (!Number.isFinite(before)) return false;
  const first = await firstOf(query, tables[0], time, beginOf(before, day));
  if (first === undefined) return false;
  const to = beginOf(first, day) + day;
  for (const table of tables) await query(`DELETE FROM results.${table} WHERE ${time} < $1`, [to]);
  return true;
}

async function firstOf(
  query: PostgresQuery,
  table: string,
  time: string,
  before: number,
): Promise<number | undefined> {
  const [row] = await query(`SELECT min(${time}) AS first FROM results.${table} WHERE ${time} < $1`, [
    before,
  ]);
  return row?.first == null ? undefined : Number(row.first);
}

async function forgetRows(
  query: PostgresQuery,
  table: string,
  time: string,
  before: number,
): Promise<boolean> {
  if (!Number.isFinite(before)) return false;
  const rows = await query(
    `DELETE FROM results.${table} WHERE ctid = ANY (ARRAY
     (SELECT ctid FROM results.${table} WHERE ${time} < $1 LIMIT ${mostRows})) RETURNING 1 AS one`,
    [Math.floor(before)],
  );
  return rows.length > 0;
}
