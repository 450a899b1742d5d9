import type { PostgresQuery } from '../../../postgres/postgres-database.ts';

/**
 * Makes the partitions of the months (UTC) that these instants (Unix seconds) lie in. Belongs into the transaction of
 * one writer alone; attached rather than made in their place, they keep nobody from reading.
 */
export async function makePartitions(query: PostgresQuery, instants: readonly number[]): Promise<void> {
  const months = new Set(instants.map(monthOf));
  const rows = await query(
    `SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'service.samples'::regclass`,
  );
  const present = new Set(rows.map(({ relname }) => String(relname)));
  for (const month of months) {
    const name = `samples_${month.replace('-', '_')}`;
    if (present.has(name)) continue;
    const [first, next] = boundsOf(month);
    await query(`CREATE TABLE service.${name} (LIKE service.samples INCLUDING ALL)`);
    await query(
      `ALTER TABLE service.samples ATTACH PARTITION service.${name} FOR VALUES FROM (${first}) TO (${next})`,
    );
  }
}

/** `2026-11` */
function monthOf(t: number): string {
  return new Date(t * 1000).toISOString().slice(0, -17);
}

function boundsOf(month: string): [first: number, next: number] {
  const first = new Date(`${month}-01T00:00:00Z`);
  return [first.getTime() / 1000, Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1) / 1000];
}
