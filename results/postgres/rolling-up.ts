import type { PostgresDatabase, PostgresQuery } from '../../postgres/postgres-database.ts';
import { beginOf, day } from '../calendar.ts';
import type { SlotRecord } from '../probe-record.ts';
import { daysToFollow, newestOf } from '../rows/own-slots.ts';
import type { NumberedSeries } from '../rows/roll-up-places.ts';
import { cellsOfRollUp } from '../rows/roll-up-row.ts';
import { upkeep } from './batch-writer.ts';
import { columnsOf } from './columns.ts';
import { changedPlaces, lengths, makeRollUps, type RollUpTable } from './roll-ups.ts';
import { numberedSeries } from './series-rows.ts';

/**
 * Sums up what was over when the newest of these slots was due, once they are written; all others wait meanwhile, so that
 * it is looked at first whether there is anything.
 */
export async function followSlots(database: PostgresDatabase, slots: readonly SlotRecord[]): Promise<void> {
  const now = newestOf(slots);
  const next = (): Promise<boolean> =>
    database.transaction(async (query) => {
      await upkeep(query);
      return rollUp(query, now);
    });
  for (let left = daysToFollow(slots); left > 0; left--) {
    if ((await firstOver(database.query, now)) === undefined || !(await next())) return;
  }
}

/**
 * Sums up the oldest UTC day that has something to sum up and was over at `now`; false where there was none. Belongs into
 * a transaction that holds `upkeep`.
 */
export async function rollUp(query: PostgresQuery, now: number): Promise<boolean> {
  const first = await firstOver(query, now);
  if (first === undefined) return false;
  const from = beginOf(first, day);
  const numbered = await numberedSeries(query);
  for (const table of ['hours', 'days'] as const) await rollUpDay(query, table, from, now, numbered);
  return true;
}

/** Returns the beginning of the oldest record, of an hour or else a day, that is to be made and was over at `now`. */
async function firstOver(query: PostgresQuery, now: number): Promise<number | undefined> {
  const first = (table: RollUpTable): Promise<number | undefined> =>
    firstBefore(query, `changed_${table}`, 'begin', now - lengths[table] + 1);
  return (await first('hours')) ?? (await first('days'));
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

/** Returns the least time of a table before an instant. */
export async function firstBefore(
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
