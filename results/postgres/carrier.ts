import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresAddress } from '../../postgres/address.ts';
import { layOutPostgres } from '../../postgres/lay-out.ts';
import type { PostgresDatabase, PostgresQuery } from '../../postgres/postgres-database.ts';
import { PostgresTrouble } from '../../postgres/trouble.ts';
import type { QueuedResults } from '../queued-results.ts';
import { releaseDeliveries } from './deliveries.ts';
import { type LocationWriter, leaseMs, releaseLease, takeLease } from './location-lease.ts';
import { openLaidOut } from './open.ts';
import { liveSharers, sharersTable, shareSlots } from './slot-sharers.ts';
import { takeOver } from './take-over.ts';

export type CarrierOptions = {
  readonly address: PostgresAddress;
  readonly location: string;
  /** Has one grid of slots with the other locations that say so. */
  readonly sharesSlots?: boolean;
  /** Reported once as the database is out of reach, and once as all that was kept meanwhile is there. */
  readonly onCutOff: (error: Error) => void;
  readonly onCaughtUp: () => void;
  /** The location has another writer: nothing more is carried. */
  readonly onTrouble: (error: unknown) => void;
};

/** Batches that are taken over in one transaction. */
const mostBatches = 500;

/** First and longest pause in ms before a database that was out of reach is tried again. */
const [firstPauseMs, longestPauseMs] = [200, 5000];

/** A monitor gives up waiting for one statement after so many ms: it has its folder. */
const statementMs = 8000;

/** Longest time in ms that the end of a monitor may take here. */
const farewellMs = 3000;

/** Carries a folder's queue into the database for as long as the monitor lives, in order, and keeps its lease. */
export class Carrier {
  readonly #options: CarrierOptions;
  readonly #local: QueuedResults;
  readonly #writer: LocationWriter;
  readonly #end = new AbortController();
  #database: PostgresDatabase | undefined;
  #isConnected = false;
  #isCutOff = false;
  #isOver = false;
  #sharers: readonly string[] | undefined;
  #wake: () => void = () => undefined;
  #round = Promise.withResolvers<boolean>();
  #work: Promise<void> = Promise.resolve();

  private constructor(local: QueuedResults, options: CarrierOptions) {
    this.#local = local;
    this.#options = options;
    this.#writer = { location: options.location, folder: local.folder, session: randomUUID() };
  }

  /**
   * Begins; a database that is out of reach is waited for. Throws StoreInUse where the location has a live monitor,
   * PostgresTrouble where the database wants a mend.
   */
  static async open(local: QueuedResults, options: CarrierOptions): Promise<Carrier> {
    const carrier = new Carrier(local, options);
    try {
      await carrier.#connect();
    } catch (error) {
      if (!isPassing(error)) {
        await carrier.close();
        throw error;
      }
      carrier.#cutOff(error);
    }
    carrier.#work = carrier.#run().finally(() => carrier.#stopWaiting());
    // It is met again at the end.
    carrier.#work.catch(() => undefined);
    return carrier;
  }

  /** Name of this process among all that ever wrote to the database. */
  get session(): string {
    return this.#writer.session;
  }

  /** Who shares the slots, as the lease was last renewed; undefined where the database was not reached yet. */
  get sharers(): readonly string[] | undefined {
    return this.#sharers;
  }

  /** There is something in the queue. */
  wake(): void {
    this.#wake();
  }

  /** Resolves once all that is in the queue now is in the database; to false where that is out of reach. */
  async carried(): Promise<boolean> {
    if (this.#isCutOff) return false;
    if (this.#isOver || (await this.#local.queued(1)).length === 0) return this.#isConnected;
    const { promise } = this.#round;
    this.#wake();
    // A round that was under way may have begun before what came last.
    return (await promise) && this.carried();
  }

  /** Runs `work` on the database; undefined while it is out of reach. */
  async reach<T>(
    work: (query: PostgresQuery, database: PostgresDatabase) => Promise<T>,
  ): Promise<T | undefined> {
    if (!this.#isConnected || !this.#database) return undefined;
    try {
      return await work(this.#database.query, this.#database);
    } catch (error) {
      if (error instanceof PostgresTrouble) return undefined;
      throw error;
    }
  }

  /** Carries what it can in a short time, and gives the lease back. What is left stays in the folder. */
  async close(): Promise<void> {
    this.#end.abort();
    this.#wake();
    const late = pause(farewellMs, undefined, { ref: false });
    try {
      await Promise.race([this.#work.then(() => this.#leave()), late]);
    } finally {
      await this.#database?.close();
    }
  }

  async #run(): Promise<void> {
    let wait = firstPauseMs;
    // Once in any case: what was opened is there to be given back.
    do {
      try {
        await this.#carry();
        wait = firstPauseMs;
        await this.#rest(leaseMs / 4);
      } catch (error) {
        if (this.#end.signal.aborted) return;
        if (!(error instanceof PostgresTrouble)) return this.#giveUp(error);
        this.#cutOff(error);
        await this.#rest(wait, true);
        wait = Math.min(2 * wait, longestPauseMs);
      }
    } while (!this.#end.signal.aborted);
  }

  async #connect(): Promise<PostgresDatabase> {
    this.#database ??= await openLaidOut(this.#options.address, {
      ...{ name: `candleproof ${this.#options.location}`, most: 4, statementMs },
    });
    await takeLease(this.#database.query, this.#writer, this.#database.place);
    if (this.#options.sharesSlots) {
      await layOutPostgres(this.#database, sharersTable);
      await shareSlots(this.#database.query, this.#writer);
      this.#sharers = await liveSharers(this.#database.query);
    }
    return this.#database;
  }

  /** Until the queue is empty; at least once, for the lease. */
  async #carry(): Promise<void> {
    const database = this.#isConnected && this.#database ? this.#database : await this.#connect();
    for (;;) {
      const batches = await this.#local.queued(mostBatches);
      await takeOver(database, this.#writer, batches);
      if (batches.length > 0) await this.#local.taken(batches);
      if (batches.length < mostBatches) break;
    }
    if (this.#options.sharesSlots) this.#sharers = await liveSharers(database.query);
    if (this.#isCutOff) this.#options.onCaughtUp();
    this.#isCutOff = false;
    this.#endRound(true);
  }

  async #leave(): Promise<void> {
    await this.reach(async (query) => {
      await this.#carry();
      await releaseDeliveries(query, this.#writer.session);
      await releaseLease(query, this.#writer);
    });
  }

  #endRound(isCarried: boolean): void {
    this.#isConnected = isCarried;
    this.#round.resolve(isCarried);
    this.#round = Promise.withResolvers();
  }

  /** Nobody waits for a round that will not come. */
  #stopWaiting(): void {
    this.#isOver = true;
    this.#round.resolve(false);
  }

  #giveUp(error: unknown): void {
    this.#endRound(false);
    this.#options.onTrouble(error);
  }

  #cutOff(error: PostgresTrouble): void {
    this.#endRound(false);
    if (!this.#isCutOff) this.#options.onCutOff(error);
    this.#isCutOff = true;
  }

  /** Until it is woken, unless it has to wait in any case, or until the end. */
  async #rest(ms: number, inAnyCase = false): Promise<void> {
    const woken = Promise.withResolvers<void>();
    const timer = setTimeout(woken.resolve, ms);
    this.#wake = () => {
      if (!inAnyCase || this.#end.signal.aborted) woken.resolve();
    };
    if (!inAnyCase && (await this.#local.queued(1)).length > 0) woken.resolve();
    if (this.#end.signal.aborted) woken.resolve();
    await woken.promise;
    clearTimeout(timer);
  }
}

function isPassing(error: unknown): error is PostgresTrouble {
  return error instanceof PostgresTrouble && error.kind === 'unreachable';
}
