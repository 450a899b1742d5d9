import type { PostgresQuery } from '@candleproof/postgres/postgres-database';
import { LENGTH } from '../../market/candle.ts';
import type { HeldMonth } from '../stored-market.ts';

/** Longest wait in ms for current readers; new readers wait during that time too. */
const mostWaitMs = 1500;

/**
 * Makes the partitions of the months (UTC) of these times (Unix seconds). Must run in the transaction of the only writer.
 * Attaching a table does not block readers, as creating a partition in place would.
 */
export async function makePartitions(query: PostgresQuery, instants: readonly number[]): Promise<void> {
  const days = new Set(instants.map((t) => t - (t % LENGTH.DAY)));
  const months = new Set([...days].map(formatMonth));
  const present = new Set(await listPartitions(query));
  for (const month of months) {
    const name = partitionName(month);
    if (present.has(name)) continue;
    const [first, next] = monthBounds(month);
    await query(`CREATE TABLE service.${name} (LIKE service.samples INCLUDING ALL)`);
    await query(
      `ALTER TABLE service.samples ATTACH PARTITION service.${name} FOR VALUES FROM (${first}) TO (${next})`,
    );
  }
}

/**
 * Drops the partitions of the months before a time, the start of a month. Must run in the transaction of the only writer.
 * Throws PostgresTrouble if readers take too long.
 */
export async function dropPartitions(query: PostgresQuery, instant: number): Promise<void> {
  const kept = partitionName(formatMonth(instant));
  const dropped = (await listPartitions(query)).filter((name) => name < kept);
  if (dropped.length === 0) return;
  await query(`SET LOCAL lock_timeout = ${mostWaitMs}`);
  await query(`DROP TABLE ${dropped.map((name) => `service.${name}`).join(', ')}`);
}

/** Returns the months with stored samples before a time (Unix seconds), oldest first. */
export async function listMonthsBefore(query: PostgresQuery, instant: number): Promise<HeldMonth[]> {
  const rows = await query(
    `SELECT to_char(to_timestamp(t) AT TIME ZONE 'UTC', 'YYYY-MM') AS month, count(*) AS samples
     FROM service.samples WHERE t < $1 GROUP BY 1 ORDER BY 1`,
    [instant],
  );
  return rows.map(({ month, samples }) => ({ month: String(month), samples: Number(samples) }));
}

async function listPartitions(query: PostgresQuery): Promise<string[]> {
  const rows = await query(
    `SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'service.samples'::regclass`,
  );
  return rows.map(({ relname }) => String(relname));
}

/** Returns a name that sorts like the month. */
function partitionName(month: string): string {
  return `samples_${month.replace('-', '_')}`;
}

/** Formats a time (Unix seconds) as `2026-11`. */
function formatMonth(t: number): string {
  return new Date(t * 1000).toISOString().slice(0, -17);
}

function monthBounds(month: string): [first: number, next: number] {
  const first = new Date(`${month}-01T00:00:00Z`);
  return [first.getTime() / 1000, Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1) / 1000];
}
