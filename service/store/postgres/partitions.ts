import type { PostgresQuery } from '../../../postgres/postgres-database.ts';
import type { HeldMonth } from '../market-change.ts';

/** Longest wait in ms for those who read just now: everybody who comes meanwhile waits as well. */
const mostWaitMs = 1500;

/**
 * Makes the partitions of the months (UTC) that these instants (Unix seconds) lie in. Belongs into the transaction of
 * one writer alone; attached rather than made in their place, they keep nobody from reading.
 */
export async function makePartitions(query: PostgresQuery, instants: readonly number[]): Promise<void> {
  const months = new Set(instants.map(monthOf));
  const present = new Set(await partitions(query));
  for (const month of months) {
    const name = nameOf(month);
    if (present.has(name)) continue;
    const [first, next] = boundsOf(month);
    await query(`CREATE TABLE service.${name} (LIKE service.samples INCLUDING ALL)`);
    await query(
      `ALTER TABLE service.samples ATTACH PARTITION service.${name} FOR VALUES FROM (${first}) TO (${next})`,
    );
  }
}

/**
 * Drops the partitions of the months before an instant, the first of a month. Belongs into the transaction of one writer
 * alone. Throws PostgresTrouble where others read for too long.
 */
export async function dropPartitions(query: PostgresQuery, instant: number): Promise<void> {
  const kept = nameOf(monthOf(instant));
  const dropped = (await partitions(query)).filter((name) => name < kept);
  if (dropped.length === 0) return;
  await query(`SET LOCAL lock_timeout = ${mostWaitMs}`);
  await query(`DROP TABLE ${dropped.map((name) => `service.${name}`).join(', ')}`);
}

/** The months of which samples from before an instant are held, the eldest first. */
export async function heldBefore(query: PostgresQuery, instant: number): Promise<HeldMonth[]> {
  const rows = await query(
    `SELECT to_char(to_timestamp(t) AT TIME ZONE 'UTC', 'YYYY-MM') AS month, count(*) AS samples
     FROM service.samples WHERE t < $1 GROUP BY 1 ORDER BY 1`,
    [instant],
  );
  return rows.map(({ month, samples }) => ({ month: String(month), samples: Number(samples) }));
}

async function partitions(query: PostgresQuery): Promise<string[]> {
  const rows = await query(
    `SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'service.samples'::regclass`,
  );
  return rows.map(({ relname }) => String(relname));
}

/** They sort as their months do. */
function nameOf(month: string): string {
  return `samples_${month.replace('-', '_')}`;
}

/** `2026-11` */
function monthOf(t: number): string {
  return new Date(t * 1000).toISOString().slice(0, -17);
}

function boundsOf(month: string): [first: number, next: number] {
  const first = new Date(`${month}-01T00:00:00Z`);
  return [first.getTime() / 1000, Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1) / 1000];
}
