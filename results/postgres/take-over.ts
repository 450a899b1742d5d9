import type { RecordBatch } from '../results-store.ts';
import type { QueuedBatch } from '../sqlite/queue.ts';
import type { Connection } from '../store/database.ts';
import { followInTurn, writeBatch } from '../store/store.ts';
import { writeSharedDelivery } from './deliveries.ts';
import { type LocationWriter, takeLease } from './location-lease.ts';
import type { PostgresResults } from './results-database.ts';

/**
 * Takes batches of a folder's queue over, in their order, each once, and renews the location's lease: all in one
 * transaction. Throws StoreInUse where another monitor has become the location's writer.
 */
export async function takeOver(
  database: PostgresResults,
  writer: LocationWriter,
  batches: readonly QueuedBatch[],
): Promise<void> {
  const slots = await database.write(async (connection) => {
    await takeLease(connection, writer, database.place);
    const taken = await readTaken(connection, writer.folder);
    const fresh = batches.filter(({ number }) => number > taken);
    const last = fresh.at(-1);
    if (!last) return [];
    const batch = joined(fresh);
    await writeBatch(connection, batch, {
      deliver: (_, delivery) => writeSharedDelivery(connection, delivery, writer),
    });
    await connection.query(
      'INSERT INTO results.folders VALUES ($1, $2) ON CONFLICT (folder) DO UPDATE SET taken = excluded.taken',
      [writer.folder, last.number],
    );
    return batch.slots ?? [];
  });
  await followInTurn(database, slots);
}

/** Number of the last batch of a folder that is there: an answer that was lost makes no second copy. */
async function readTaken({ query }: Connection, folder: string): Promise<number> {
  const [row] = await query('SELECT taken FROM results.folders WHERE folder = $1', [folder]);
  return Number(row?.[0] ?? 0);
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
