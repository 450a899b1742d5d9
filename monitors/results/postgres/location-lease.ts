import { hostname } from 'node:os';
import type { DatabaseConnection } from '../store/database.ts';
import { plain, sql } from '../store/sql.ts';
import { StoreInUse } from '../store-error.ts';

/** Ms after a monitor's last renewal at which its location loses the right to write. */
export const leaseMs = 20_000;

/** The writer of a location: a separate process, on a separate folder. */
export type LocationWriter = {
  readonly location: string;
  readonly folder: string;
  readonly session: string;
};

const until = plain(`now() + interval '${leaseMs} milliseconds'`);

/**
 * Takes or renews a location's lease. A folder has one writer, so that one who comes back to it on the same machine need
 * not wait for the lease of the one before. Throws StoreInUse if another monitor of that name is alive.
 */
export async function takeLease(
  { query }: DatabaseConnection,
  { location, folder, session }: LocationWriter,
  place: string,
): Promise<void> {
  const taken = await query(
    sql`INSERT INTO results.writers VALUES (${location}, ${`${hostname()} ${folder}`}, ${session}, now(), ${until})
     ON CONFLICT (location) DO UPDATE
     SET folder = excluded.folder, session = excluded.session, until = excluded.until,
       since = CASE WHEN writers.session = excluded.session THEN writers.since ELSE excluded.since END
     WHERE writers.until < now() OR writers.folder = excluded.folder OR writers.session = excluded.session
     RETURNING session`,
  );
  if (taken.length > 0) return;
  const [holder] = await query(
    sql`SELECT to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') AS since FROM results.writers
     WHERE location = ${location}`,
  );
  throw new StoreInUse(
    `${place}: another monitor writes for the location "${location}" since ${holder?.[0] ?? 'just now'} UTC: end that one, or give this one a name of its own (monitor.location).`,
  );
}

/** Releases the lease of a location, if this session holds it. */
export async function releaseLease(
  { query }: DatabaseConnection,
  { location, session }: LocationWriter,
): Promise<void> {
  await query(sql`DELETE FROM results.writers WHERE location = ${location} AND session = ${session}`);
}
