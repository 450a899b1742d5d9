import { randomUUID } from 'node:crypto';
import type { PostgresAddress } from '../../postgres/address.ts';
import type { QueuedBatch } from '../sqlite/queue.ts';
import { releaseDeliveries } from './deliveries.ts';
import {
  type LocationWriter,
  liveSharers,
  releaseLease,
  sharersLayout,
  shareSlots,
  takeLease,
} from './location-lease.ts';
import { openResultsDatabase, type PostgresResults } from './results-database.ts';
import { takeOver } from './take-over.ts';

export type LinkOptions = {
  readonly address: PostgresAddress;
  readonly location: string;
  /** Has one grid of slots with the other locations that say so. */
  readonly sharesSlots?: boolean;
};

/** A monitor gives up waiting for one statement after so many ms: it has its folder. */
const statementMs = 8000;

/** A location's way into the shared database, under its lease. All of it throws PostgresTrouble, or StoreInUse. */
export class LocationLink {
  readonly #options: LinkOptions;
  readonly #writer: LocationWriter;
  #database: PostgresResults | undefined;
  #sharers: readonly string[] | undefined;

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

  /** Who shares the slots, as the lease was last renewed; undefined where the database was not reached yet. */
  get sharers(): readonly string[] | undefined {
    return this.#sharers;
  }

  /** Takes the lease, on the tables that this lays out where they are missing. */
  async connect(): Promise<PostgresResults> {
    const { address, location, sharesSlots } = this.#options;
    const options = { name: `candleproof ${location}`, most: 4, statementMs };
    this.#database ??= await openResultsDatabase(address, options);
    await takeLease(this.#database, this.#writer, this.#database.place);
    if (sharesSlots) {
      await this.#database.layOut(sharersLayout);
      await shareSlots(this.#database, this.#writer);
      await this.#look(this.#database);
    }
    return this.#database;
  }

  /** Takes batches over, each once, and renews the lease. */
  async takeOver(database: PostgresResults, batches: readonly QueuedBatch[]): Promise<void> {
    await takeOver(database, this.#writer, batches);
    if (this.#options.sharesSlots) await this.#look(database);
  }

  /** Gives back the lease, and messages that were claimed. */
  async leave(database: PostgresResults): Promise<void> {
    await releaseDeliveries(database, this.#writer.session);
    await releaseLease(database, this.#writer);
  }

  async close(): Promise<void> {
    await this.#database?.close();
  }

  async #look(database: PostgresResults): Promise<void> {
    this.#sharers = await liveSharers(database);
  }
}
