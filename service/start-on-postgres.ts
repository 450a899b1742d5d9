import { makeFolder } from '../files/make-folder.ts';
import type { PostgresAddress } from '../postgres/address.ts';
import { type ServingOptions, type ServingService, serve } from './serving.ts';
import { openPostgresStore, type PostgresStore } from './store/postgres/postgres-store.ts';

/** The folder holds the certificate and the key's text; everything else is in the database. */
export type PostgresServiceOptions = ServingOptions & {
  readonly dataDir: string;
  readonly database: PostgresAddress;
};

/** How often in ms the database's clock is looked at again. */
const clockMs = 60_000;

/**
 * Starts one of any number of processes that serve one database, each on a port of its own. Its clock is the
 * database's, unless another is given. Throws what startService does, and PostgresTrouble.
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

/** The database's clock as this process reads it, so that all processes see a month end together. */
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
        // Its last word holds while it is away.
        () => {},
      );
    }, clockMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
