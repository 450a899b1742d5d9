import type { PostgresDatabase, PostgresQuery } from '../../postgres/postgres-database.ts';
import type { QueuedBatch } from '../queued-results.ts';
import type { RecordBatch } from '../results-store.ts';
import { writeBatch, writing } from './batch-writer.ts';
import { type LocationWriter, takeLease } from './location-lease.ts';
import { followSlots } from './rolling-up.ts';

/**
 * Takes batches of a folder's queue over, in their order, each once, and renews the location's lease: all in one
 * transaction. Throws StoreInUse where another monitor has become the location's writer.
 */
export async function takeOver(
  database: PostgresDatabase,
  writer: LocationWriter,
  batches: readonly QueuedBatch[],
): Promise<void> {
  const slots = await database.transaction(async (query) => {
    await writing(query);
    await takeLease(query, writer, database.place);
    const taken = await takenOf(query, writer.folder);
    const fresh = batches.filter(({ number }) => number > taken);
    const last = fresh.at(-1);
    if (!last) return [];
    const batch = joined(fresh);
    await writeBatch(query, batch, { origin: writer });
    await query(
      'INSERT INTO results.folders VALUES ($1, $2) ON CONFLICT (folder) DO UPDATE SET taken = excluded.taken',
      [writer.folder, last.number],
    );
    return batch.slots ?? [];
  });
  await followSlots(database, slots);
}

/** Number of the last batch of a folder that is there: an answer that was lost makes no second copy. */
async function takenOf(query: PostgresQuery, folder: string): Promise<number> {
  const [row] = await query('SELECT taken FROM results.folders WHERE folder = $1', [folder]);
  return Number(row?.taken ?? 0);
}

/** As one: in each table the newer comes after the older, and what was delivered is so in the end. */
function joined(batches: readonly QueuedBatch[]): RecordBatch {
  const all = batches.map(({ batch }) => batch);
  return {
    slots: all.flatMap(({ slots = [] }) => slots),
    events: all.flatMap(({ events = [] }) => events),
    incidents: all.flatMap(({ incidents = [] }) => incidents),
    quotas: all.flatMap(({ quotas = [] }) => quotas),
    deliveries: all.flatMap(({ deliveries = [] }) => deliveries),
    delivered: all.flatMap(({ delivered = [] }) => delivered),
    states: Object.assign({}, ...all.map(({ states }) => states)),
  };
}
