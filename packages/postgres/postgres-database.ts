import type { Pool, PoolClient } from 'pg';
import type { PostgresAddress } from './address.ts';
import { CopyIn } from './copy-in.ts';
import { listening, type NoticeListener } from './notice-listener.ts';
import { explainTrouble, PostgresTrouble } from './trouble.ts';
import { valueTypes } from './value-types.ts';

/** The value of a column: int8 is bigint and numeric is text, so that nothing is rounded. */
export type PostgresValue = string | number | bigint | boolean | Date | Buffer | null;

export type PostgresRow = Readonly<Record<string, PostgresValue>>;

/** A statement; one with a name is planned once for each connection. */
type PostgresStatement = string | { readonly name: string; readonly text: string };

/** Sends a statement and returns its rows. Throws PostgresTrouble, or an error of SQL. */
export type PostgresQuery = (
  statement: PostgresStatement,
  values?: readonly unknown[],
) => Promise<PostgresRow[]>;

/** Appends rows to a table. Throws PostgresTrouble, or an error of SQL. */
export type PostgresCopy = (table: string, rows: Iterable<readonly (number | bigint)[]>) => Promise<void>;

/** The statements of one transaction. */
export type PostgresTransaction = { readonly query: PostgresQuery; readonly copy: PostgresCopy };

export type PostgresOptions = {
  /** Shown in pg_stat_activity. */
  readonly name?: string;
  /** Most connections; those that listen come on top. */
  readonly most?: number;
  /** Longest wait in ms for a connection, a free one included. */
  readonly connectMs?: number;
  /** Longest time in ms that a statement may take. */
  readonly statementMs?: number;
};

type Listen = (
  channel: string,
  onNotice: (payload: string) => void,
  onReconnect: () => void,
  onLost: () => void,
) => Promise<NoticeListener>;

/** The oldest that this is tried on. */
const oldestVersion = 15;

/** A PostgreSQL database through a pool of connections, every wait bounded. All that fails throws PostgresTrouble or an error of SQL. */
export class PostgresDatabase {
  readonly place: string;
  readonly #pool: Pool;
  readonly #listen: Listen;

  private constructor(pool: Pool, place: string, listen: Listen) {
    this.#pool = pool;
    this.place = place;
    this.#listen = listen;
    // The next statement meets what is wrong with an idle connection.
    pool.on('error', () => {});
  }

  /** Connects once, so that a wrong address is known at once. Throws PostgresTrouble. */
  static async open(address: PostgresAddress, options: PostgresOptions = {}): Promise<PostgresDatabase> {
    const pg = await client();
    const { name = 'candleproof', most = 8, connectMs = 1500, statementMs = 30_000 } = options;
    const config = {
      connectionString: address.secretUrl,
      application_name: name,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      query_timeout: statementMs + 500,
      idle_in_transaction_session_timeout: statementMs,
      keepAlive: true,
      types: valueTypes(pg.types),
    };
    const pool = new pg.Pool({ ...config, max: most });
    const database = new PostgresDatabase(pool, address.place, (...heard) =>
      listening(() => new pg.Client(config), address.place, ...heard),
    );
    try {
      await database.#refuseOld();
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  }

  /** One statement on whichever connection is free. */
  query: PostgresQuery = async (statement, values = []) => {
    try {
      return (await this.#pool.query(configOf(statement, values))).rows;
    } catch (error) {
      throw explainTrouble(error, this.place);
    }
  };

  /** Runs `work` so that all of its writes are kept, or none. Throws what `work` does, or the database. */
  transaction<T>(work: (query: PostgresQuery, copy: PostgresCopy) => Promise<T>): Promise<T> {
    const runTransaction = async (query: PostgresQuery, copy: PostgresCopy): Promise<T> => {
      await query('BEGIN');
      const result = await work(query, copy);
      await query('COMMIT');
      return result;
    };
    return this.session(runTransaction, (query) => query('ROLLBACK'));
  }

  /**
   * Runs `work` on one connection. Where it throws, `recover` makes the connection usable again, or else it is closed.
   * Throws what `work` does, or the database.
   */
  async session<T>(
    work: (query: PostgresQuery, copy: PostgresCopy) => Promise<T>,
    recover?: (query: PostgresQuery) => Promise<unknown>,
  ): Promise<T> {
    const client = await this.#connect();
    const explain = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error) => Promise.reject(explainTrouble(error, this.place)));
    const query: PostgresQuery = async (statement, values = []) =>
      (await explain(client.query(configOf(statement, values)))).rows;
    const copy: PostgresCopy = (table, rows) => explain(client.query(new CopyIn(table, rows)).done);
    let broken = false;
    // A connection may be lost between two statements: the next one, or the pool, meets it.
    const lost = (): void => {
      broken = true;
    };
    client.on('error', lost);
    try {
      return await work(query, copy);
    } catch (error) {
      if (recover) await recover(query).catch(lost);
      else lost();
      throw error;
    } finally {
      client.off('error', lost);
      client.release(broken);
    }
  }

  /**
   * Hears the notices of a channel on a separate connection. It is made again whenever it is lost: notices of the
   * meantime are lost too, so that `onReconnect` has to take everything as changed. `onLost` comes when the connection is known to be lost.
   */
  listen(
    channel: string,
    onNotice: (payload: string) => void,
    onReconnect: () => void = () => {},
    onLost: () => void = () => {},
  ): Promise<NoticeListener> {
    return this.#listen(channel, onNotice, onReconnect, onLost);
  }

  /** Ends the pool once its statements have; what listens is stopped apart. */
  close(): Promise<void> {
    return this.#pool.end();
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw explainTrouble(error, this.place);
    }
  }

  async #refuseOld(): Promise<void> {
    const [row] = await this.query("SELECT current_setting('server_version_num')::int / 10000 AS version");
    if (Number(row?.version) >= oldestVersion) return;
    throw new PostgresTrouble(
      'refused',
      `PostgreSQL at ${this.place} is version ${row?.version}: give one of ${oldestVersion} or newer`,
    );
  }
}

/** An optional peer of the package, which commands that keep nothing in PostgreSQL never load. */
async function client(): Promise<typeof import('pg')['default']> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'pg'")) throw error;
    throw new PostgresTrouble(
      'refused',
      'PostgreSQL takes the package pg, which is not installed: npm install pg',
    );
  }
}

function configOf(
  statement: PostgresStatement,
  values: readonly unknown[],
): { text: string; name?: string; values: unknown[] } {
  return { ...(typeof statement === 'string' ? { text: statement } : statement), values: [...values] };
}
