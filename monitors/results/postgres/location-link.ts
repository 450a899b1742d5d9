import { randomUUID } from 'node:crypto';
import type { PostgresAddress } from '@candleproof/postgres/address';
import type { RecordBatch } from '../results-store.ts';
import type { QueuedBatch, QueuedResults } from '../sqlite/queue.ts';
import type { DatabaseConnection } from '../store/database.ts';
import { sql } from '../store/sql.ts';
import { followInTurn, writeBatch } from '../store/store.ts';
import { releaseDeliveries, writeSharedDelivery } from './deliveries.ts';
import { type LocationWriter, releaseLease, takeLease } from './location-lease.ts';
import { rewriteLost } from './restored.ts';
import { openResultsDatabase, type PostgresResults } from './results-database.ts';

export type LinkOptions = {
  readonly address: PostgresAddress;
  readonly location: string;
};

/** Ms after which a monitor stops waiting for a statement and relies on its folder. */
const statementMs = 8000;

/** A location's way into the shared database, under its lease. All of it throws PostgresTrouble, or StoreInUse. */
export class LocationLink {
  readonly #options: LinkOptions;
  readonly #writer: LocationWriter;
  #database: PostgresResults | undefined;

  /** @param folder name of the folder's queue */
  constructor(folder: string, options: LinkOptions) {
    this.#options = options;
    this.#writer = { location: options.location, folder, session: randomUUID() };
  }

  /** Name of this process among all that ever wrote to the database. */
  get session(): string {
    return this.#writer.session;
  }

  get database(): PostgresResults | undefined {
    return this.#database;
  }

  /** Takes the lease, after creating missing tables. */
  async connect(): Promise<PostgresResults> {
    const { address, location } = this.#options;
    const options = { name: `candleproof ${location}`, most: 4, statementMs };
    this.#database ??= await openResultsDatabase(address, options);
    await takeLease(this.#database, this.#writer, this.#database.place);
    return this.#database;
  }

  /** Takes batches over, each once, and renews the lease. */
  async takeOver(database: PostgresResults, batches: readonly QueuedBatch[]): Promise<void> {
    await takeOver(database, this.#writer, batches);
  }

  /** Writes again from the folder what a restored database lacks; resolves to whether it lacked anything. */
  rewriteLost(database: PostgresResults, local: QueuedResults): Promise<boolean> {
    return rewriteLost(database, local, this.#writer);
  }

  /** Gives back the lease, and messages that were claimed. */
  async leave(database: PostgresResults): Promise<void> {
    await releaseDeliveries(database, this.#writer.session);
    await releaseLease(database, this.#writer);
  }

  async close(): Promise<void> {
    await this.#database?.close();
  }
}

/**
 * Takes batches of a folder's queue over, in their order, each once, and renews the location's lease: all in one
 * transaction. Throws StoreInUse if another monitor has become the location's writer.
 */
async function takeOver(
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
    const batch = joinBatches(fresh);
    await writeBatch(connection, batch, {
      deliver: (_, delivery) => writeSharedDelivery(connection, delivery, writer),
    });
    await connection.query(
      sql`INSERT INTO results.folders VALUES (${writer.folder}, ${last.number})
        ON CONFLICT (folder) DO UPDATE SET taken = excluded.taken`,
    );
    return batch.slots ?? [];
  });
  await followInTurn(database, slots);
}

/** Returns the number of a folder's last batch in the database, so that a lost answer causes no second copy. */
async function readTaken({ query }: DatabaseConnection, folder: string): Promise<number> {
  const [row] = await query(sql`SELECT taken FROM results.folders WHERE folder = ${folder}`);
  return Number(row?.[0] ?? 0);
}

/** Joins batches into one: newer records come after older ones, and delivered messages stay delivered. */
function joinBatches(batches: readonly QueuedBatch[]): RecordBatch {
  const all = batches.map(({ batch }) => batch);
  return {
    slots: all.flatMap(({ slots = [] }) => slots),
    events: all.flatMap(({ events = [] }) => events),
    incidents: all.flatMap(({ incidents = [] }) => incidents),
    quotas: all.flatMap(({ quotas = [] }) => quotas),
    deliveries: all.flatMap(({ deliveries = [] }) => deliveries),
    postponed: all.flatMap(({ postponed = [] }) => postponed),
    delivered: all.flatMap(({ delivered = [] }) => delivered),
    states: Object.assign({}, ...all.map(({ states }) => states)),
  };
}
