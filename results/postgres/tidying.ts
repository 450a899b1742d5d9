import type { PostgresQuery } from '../../postgres/postgres-database.ts';
import { beginOf, day } from '../calendar.ts';
import type { Retention } from '../retention.ts';
import { firstBefore, rollUp } from './rolling-up.ts';

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

/** The oldest day of tables, where all of it lies before an instant; what is over was rolled up before. */
async function forgetDay(
  query: PostgresQuery,
  tables: readonly [string, ...string[]],
  time: string,
  before: number,
): Promise<boolean> {
  if (!Number.isFinite(before)) return false;
  const first = await firstBefore(query, tables[0], time, beginOf(before, day));
  if (first === undefined) return false;
  const to = beginOf(first, day) + day;
  for (const table of tables) await query(`DELETE FROM results.${table} WHERE ${time} < $1`, [to]);
  return true;
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
