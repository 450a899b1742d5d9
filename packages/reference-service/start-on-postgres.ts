import { makeFolder } from '@candleproof/files/write-files';
import type { PostgresAddress } from '@candleproof/postgres/address';
import { type ServingOptions, type ServingService, serve } from './serving.ts';
import { openPostgresStore, type PostgresStore } from './store/postgres/postgres-store.ts';

/** Options of a service on PostgreSQL. The folder has the certificate and the key's text; all else is in the database. */
export type PostgresServiceOptions = ServingOptions & {
  readonly dataDir: string;
  readonly database: PostgresAddress;
};

/** Interval in ms at which the database's clock is read. */
const clockMs = 60_000;

/**
 * Starts one of any number of processes that serve one database, each on its port. Uses the database's clock unless
 * one is given. Throws what startService throws, and PostgresTrouble.
 */
export async function startServiceOnPostgres(options: PostgresServiceOptions): Promise<ServingService> {
  const { database, dataDir, logger } = options;
  makeFolder(dataDir, 0o700);
  const store = await openPostgresStore(database, (err) =>
    logger?.error({ err }, 'a failed request stays counted'),
  );
  const clock = new DatabaseClock(store);
  const end = async (): Promise<void> => {
    clock.stop();
    await store.close();
  };
  try {
    await clock.begin();
    const { serving } = await serve(store, dataDir, { now: clock.now, ...options }, end);
    return serving;
  } catch (error) {
    await end();
    throw error;
  }
}

/** Follows the database's clock, so that a month ends at the same time in all processes. */
class DatabaseClock {
  readonly #store: PostgresStore;
  #ahead = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: PostgresStore) {
    this.#store = store;
  }

  /** Unix ms. */
  readonly now = (): number => Math.floor(Date.now() + this.#ahead);

  async begin(): Promise<void> {
    this.#ahead = await this.#store.clockAhead();
    this.#timer = setInterval(() => {
      this.#store.clockAhead().then(
        (ahead) => {
          this.#ahead = ahead;
        },
        // The last offset stays in use while the database is unreachable.
        () => {},
      );
    }, clockMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
