import type { PostgresLayout } from '../../postgres/lay-out.ts';
import type { PostgresQuery } from '../../postgres/postgres-database.ts';
import type { LocationWriter } from './location-lease.ts';

/** Which writers share one grid of slots. The row of a session that has no lease any more says nothing. */
export const sharersTable: PostgresLayout = {
  name: 'results-sharers',
  number: 1,
  tables: 'CREATE TABLE results.sharers (location text PRIMARY KEY, session text NOT NULL)',
};

/** From now on the location counts as long as its lease lasts. */
export async function shareSlots(query: PostgresQuery, { location, session }: LocationWriter): Promise<void> {
  await query(
    `INSERT INTO results.sharers VALUES ($1, $2) ON CONFLICT (location) DO UPDATE SET session = excluded.session
     WHERE sharers.session <> excluded.session`,
    [location, session],
  );
}

/** Those whose lease lasts, by the database's clock. */
export async function liveSharers(query: PostgresQuery): Promise<string[]> {
  const rows = await query(
    'SELECT location FROM results.sharers JOIN results.writers USING (location, session) WHERE until > now()',
  );
  return rows.map(({ location }) => String(location));
}
