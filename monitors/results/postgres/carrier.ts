import { setTimeout as pause } from 'node:timers/promises';
import { PostgresTrouble } from '@candleproof/postgres/trouble';
import type { QueuedResults } from '../sqlite/queue.ts';
import { StoreFull } from '../store-error.ts';
import { leaseMs } from './location-lease.ts';
import { type LinkOptions, LocationLink } from './location-link.ts';
import { Pause } from './pause.ts';
import { isRestoring } from './restored.ts';
import type { PostgresResults } from './results-database.ts';

export type CarrierOptions = LinkOptions & {
  /** Called once when the database is unreachable, and once when the queued batches have reached it. */
  readonly onCutOff: (error: Error) => void;
  readonly onCaughtUp: () => void;
  /** The location has another writer: nothing more is carried. */
  readonly onTrouble: (error: unknown) => void;
};

/** Batches that are taken over in one transaction. */
const mostBatches = 500;

/** First and longest pause in ms before a failed round is retried. */
const [firstPauseMs, longestPauseMs] = [200, 5000];

const beingRestored = 'the tables of the database are missing: it may be being restored';

/** Longest time in ms that the end of a monitor may take here. */
const farewellMs = 3000;

/** Carries a folder's queue into the database for as long as the monitor lives, in order, and keeps its lease. */
export class Carrier {
  readonly #options: CarrierOptions;
  readonly #local: QueuedResults;
  readonly #link: LocationLink;
  readonly #end = new AbortController();
  readonly #pause = new Pause(this.#end.signal);
  #isConnected = false;
  #isCutOff = false;
  #isOver = false;
  #round = Promise.withResolvers<boolean>();
  #work: Promise<void> = Promise.resolve();

  private constructor(local: QueuedResults, options: CarrierOptions) {
    this.#local = local;
    this.#options = options;
    this.#link = new LocationLink(local.folder, options);
  }

  /**
   * Begins; waits for a database that is unreachable. Throws StoreInUse if the location has a live monitor,
   * PostgresTrouble if the database needs a fix.
   */
  static async open(local: QueuedResults, options: CarrierOptions): Promise<Carrier> {
    const carrier = new Carrier(local, options);
    try {
      await carrier.#link.connect();
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
    return this.#link.session;
  }

  /** There is something in the queue. */
  wake(): void {
    this.#pause.wake();
  }

  /** Resolves once all that is in the queue now is in the database; to false if it is unreachable. */
  async awaitCarried(): Promise<boolean> {
    if (this.#isCutOff) return false;
    if (this.#isOver || !(await this.#isQueued())) return this.#isConnected;
    const { promise } = this.#round;
    this.#pause.wake();
    // A round that was under way may have begun before what came last.
    return (await promise) && this.awaitCarried();
  }

  /** Runs `work` on the database; undefined while it is unreachable. */
  async useDatabase<T>(work: (database: PostgresResults) => Promise<T>): Promise<T | undefined> {
    const { database } = this.#link;
    if (!this.#isConnected || !database) return undefined;
    try {
      return await work(database);
    } catch (error) {
      if (error instanceof PostgresTrouble || isRestoring(error)) return undefined;
      throw error;
    }
  }

  /** Carries batches for a short time and returns the lease. The remaining batches stay in the folder. */
  async close(): Promise<void> {
    this.#end.abort();
    const late = pause(farewellMs, undefined, { ref: false });
    try {
      await Promise.race([this.#work.then(() => this.#releaseLease()), late]);
    } finally {
      // A server that is silent would be waited for.
      await Promise.race([this.#link.close(), late]);
    }
  }

  async #run(): Promise<void> {
    let wait = firstPauseMs;
    // Once in any case: what was opened is there to be given back.
    do {
      try {
        await this.#carry();
        wait = firstPauseMs;
        await this.#pause.waitUntilDue(leaseMs / 4, () => this.#isQueued());
      } catch (error) {
        if (this.#end.signal.aborted) return;
        if (error instanceof PostgresTrouble) this.#cutOff(error);
        else if (isRestoring(error)) this.#cutOff(new PostgresTrouble('unreachable', beingRestored));
        // The next take-over skips what was taken over and could not be removed here.
        else if (!(error instanceof StoreFull)) return this.#giveUp(error);
        await this.#pause.waitAlways(wait);
        wait = Math.min(2 * wait, longestPauseMs);
      }
    } while (!this.#end.signal.aborted);
  }

  /** Until the queue is empty; at least once, for the lease. */
  async #carry(): Promise<void> {
    const database = (this.#isConnected && this.#link.database) || (await this.#link.connect());
    await this.#link.rewriteLost(database, this.#local);
    for (;;) {
      const batches = await this.#local.queued(mostBatches);
      await this.#link.takeOver(database, batches);
      if (batches.length > 0) await this.#local.taken(batches);
      if (batches.length < mostBatches) break;
    }
    if (this.#isCutOff) this.#options.onCaughtUp();
    this.#isCutOff = false;
    this.#endRound(true);
  }

  async #releaseLease(): Promise<void> {
    await this.useDatabase(async (database) => {
      await this.#carry();
      await this.#link.leave(database);
    });
  }

  async #isQueued(): Promise<boolean> {
    return (await this.#local.queued(1)).length > 0;
  }

  #endRound(isCarried: boolean): void {
    this.#isConnected = isCarried;
    this.#round.resolve(isCarried);
    this.#round = Promise.withResolvers();
  }

  /** Releases callers that wait for a round that will not come. */
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
}

function isPassing(error: unknown): error is PostgresTrouble {
  return error instanceof PostgresTrouble && error.kind === 'unreachable';
}
