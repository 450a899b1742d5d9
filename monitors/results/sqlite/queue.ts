import { randomUUID } from 'node:crypto';
import type { RecordBatch, ResultsStore } from '../results-store.ts';
import type { Database, DatabaseConnection } from '../store/database.ts';
import { removeDeliveries } from '../store/monitor-state.ts';
import { plain, sql } from '../store/sql.ts';
import { recordBatch } from '../store/store.ts';

/** A batch in the order in which it was written; no number comes twice in one folder. */
export type QueuedBatch = { readonly number: number; readonly batch: RecordBatch };

/** A folder's store whose batches another store takes over, sooner or later. */
export type QueuedResults = ResultsStore & {
  /** Name of the folder's queue, of no other one. */
  readonly folder: string;
  /** Writes one batch and queues another for the shared database, in one transaction. */
  queue(batch: RecordBatch, queued: RecordBatch): Promise<void>;
  /** Returns at most `most` of the oldest batches. */
  queued(most: number): Promise<readonly QueuedBatch[]>;
  /** Returns the number of the last batch that the other store has taken, 0 without one. */
  lastTaken(): Promise<number>;
  /** Forgets what the other store has; its outbox is the other store's from now on. */
  taken(batches: readonly QueuedBatch[]): Promise<void>;
};

/** Only a folder that is taken over has these tables. */
const tables = [
  'CREATE TABLE IF NOT EXISTS queue (number INTEGER PRIMARY KEY AUTOINCREMENT, batch TEXT NOT NULL) STRICT',
  'CREATE TABLE IF NOT EXISTS queue_name (name TEXT NOT NULL) STRICT',
];

/** Returns the store with the queue of its database. */
export async function withQueue(store: ResultsStore, database: Database): Promise<QueuedResults> {
  return {
    ...store,
    folder: await database.write(nameQueue),
    queue: (batch, queued) =>
      recordBatch(database, batch, async ({ query }) => {
        await query(sql`INSERT INTO queue (batch) VALUES (${JSON.stringify(queued)})`);
      }),
    async queued(most) {
      const rows = await database.query(sql`SELECT number, batch FROM queue ORDER BY number LIMIT ${most}`);
      return rows.map(([number, batch]) => ({ number: Number(number), batch: JSON.parse(String(batch)) }));
    },
    async lastTaken() {
      const [row] = await database.query(
        sql`SELECT coalesce((SELECT min(number) - 1 FROM queue), (SELECT seq FROM sqlite_sequence WHERE name = 'queue'), 0) AS last`,
      );
      return Number(row?.[0] ?? 0);
    },
    taken: (batches) =>
      database.write(async (connection) => {
        const deliveries = batches.flatMap(({ batch }) => batch.deliveries ?? []);
        await removeDeliveries(
          connection,
          deliveries.map(({ id }) => id),
        );
        const last = Math.max(...batches.map(({ number }) => number));
        await connection.query(sql`DELETE FROM queue WHERE number <= ${last}`);
      }),
  };
}

/** Creates the tables if they are missing, and returns the name of the queue. */
async function nameQueue({ query }: DatabaseConnection): Promise<string> {
  for (const table of tables) await query(plain(table));
  await query(sql`INSERT INTO queue_name SELECT ${randomUUID()} WHERE NOT EXISTS (SELECT 1 FROM queue_name)`);
  const [row] = await query(sql`SELECT name FROM queue_name`);
  return String(row?.[0]);
}
