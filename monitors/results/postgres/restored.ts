import { hour } from '../calendar.ts';
import type { RecordBatch } from '../results-store.ts';
import type { QueuedResults } from '../sqlite/queue.ts';
import { sql } from '../store/sql.ts';
import { followInTurn, writeBatch } from '../store/store.ts';
import type { LocationWriter } from './location-lease.ts';
import type { PostgresResults } from './results-database.ts';

/** Ms before the newest slot that the database has: what ended later than it began may be missing as well. */
const overlap = 24 * hour;

/** States of SQL in a database that is being restored: its schema, its tables or their columns are not there yet. */
const restoring = /^(42P01|42703|3F000)$/;

/** Returns whether an error is that of a database whose tables somebody is replacing. */
export function isRestoring(error: unknown): boolean {
  return error instanceof Error && 'code' in error && restoring.test(String(error.code));
}

/**
 * Writes again what a database lacks that was restored from a backup, from the folder, which has everything: known by
 * the number of the last batch, which is older there than here. Messages of this folder that went out since are taken
 * out of the restored outbox. Resolves to whether anything was lacking.
 */
export async function rewriteLost(
  database: PostgresResults,
  local: QueuedResults,
  { folder, location }: LocationWriter,
): Promise<boolean> {
  const last = await local.lastTaken();
  const [row] = await database.query(sql`SELECT taken FROM results.folders WHERE folder = ${folder}`);
  if (Number(row?.[0] ?? 0) >= last) return false;
  const [newest] = await database.query(
    sql`SELECT max(last)::float8 AS last FROM results.series WHERE location = ${location}`,
  );
  const known = newest?.[0];
  const extent = await local.extent();
  const to = (extent?.to ?? 0) + hour;
  const from = typeof known === 'number' ? known - overlap : (extent?.from ?? to);
  for (let begin = from; begin < to; begin += hour) {
    const span = { from: begin, to: Math.min(begin + hour, to) };
    await write(database, { slots: await local.slots(span, { location }) });
  }
  const rest = { from, to: Number.MAX_SAFE_INTEGER };
  const events = await local.events(rest);
  await write(database, {
    events,
    incidents: await local.incidents(rest),
    quotas: await local.quotas(rest),
    delivered: events.flatMap(({ kind, detail }) =>
      kind === 'message-sent' || kind === 'delivery-failed'
        ? [`${detail.id}/${encodeURIComponent(String(detail.sink))}`]
        : [],
    ),
  });
  await database.write(({ query }) =>
    query(
      sql`INSERT INTO results.folders VALUES (${folder}, ${last})
        ON CONFLICT (folder) DO UPDATE SET taken = excluded.taken`,
    ),
  );
  return true;
}

async function write(database: PostgresResults, batch: RecordBatch): Promise<void> {
  await database.write((connection) => writeBatch(connection, batch, { keepFuller: true }));
  await followInTurn(database, batch.slots);
}
