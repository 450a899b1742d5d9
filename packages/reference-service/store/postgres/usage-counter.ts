import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { PostgresDatabase, PostgresQuery } from '@candleproof/postgres/postgres-database';
import type { UsageBook } from '../accounts.ts';

/** A request to count, with its waiting caller. */
type Waiting = {
  readonly key: number;
  readonly month: string;
  readonly requests: number;
  resolve(used: number): void;
  reject(error: unknown): void;
};

const requested = 'unnest($1::int[], $2::text[], $3::int8[]) AS each (key, month, requests)';

/** Locks rows in the order of their keys, so that processes cannot deadlock. */
const merge = `ORDER BY key, month
  ON CONFLICT (key, month) DO UPDATE SET used = usage.used + excluded.used RETURNING key, month, used`;

const add = {
  name: 'count',
  text: `INSERT INTO service.usage SELECT each.* FROM ${requested} ${merge}`,
} as const;

/** Commits in memory alone, so that no process holds a key's row while the disk writes another one's count. */
const addInMemory = {
  name: 'count in memory',
  text: `WITH commits AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
    INSERT INTO service.usage SELECT each.* FROM commits, ${requested} ${merge}`,
} as const;

/** Commits to the disk, with everything committed before. */
const flush = { name: 'flush', text: "SELECT pg_logical_emit_message(true, 'candleproof', '')" } as const;

/** Longest delay in ms of the answer to a failed request while its count is reverted. */
const mostPatienceMs = 250;

const takeBack = {
  name: 'take back',
  text: 'UPDATE service.usage SET used = used - $4 WHERE key = $1 AND month = $2 AND used = $3 RETURNING used',
} as const;

/**
 * Counts the requests of every key by month, exactly across all processes: a count is on the database's disk before the
 * answer is sent. Requests that arrive while others are counted share the next statement, and each gets one number of
 * the resulting range. Two batches in flight would each hold half as many, and take more processor time for them.
 */
export class PostgresUsageCounter implements UsageBook {
  readonly #database: PostgresDatabase;
  readonly #query: PostgresQuery;
  readonly #onTrouble: (error: unknown) => void;
  #waiting: Waiting[] = [];
  #isSending = false;

  constructor(database: PostgresDatabase, onTrouble: (error: unknown) => void) {
    this.#database = database;
    this.#query = database.query;
    this.#onTrouble = onTrouble;
  }

  count(key: number, month: string, requests: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, month, requests, resolve, reject });
      if (!this.#isSending) this.#send();
    });
  }

  async giveBack(key: number, month: string, used: number, requests: number): Promise<number> {
    const takenBack = async (): Promise<number> => {
      try {
        const [row] = await this.#query(takeBack, [key, month, used, requests]);
        return row ? Number(row.used) : used;
      } catch (error) {
        // It may have been reverted: a second try could revert another request's count.
        this.#onTrouble(error);
        return used;
      }
    };
    // The request may have failed because the database is away, so the answer does not wait for it again.
    return Promise.race([takenBack(), pause(mostPatienceMs, used, { ref: false })]);
  }

  async used(key: number, month: string): Promise<number> {
    const [row] = await this.#query('SELECT used FROM service.usage WHERE key = $1 AND month = $2', [
      key,
      month,
    ]);
    return Number(row?.used ?? 0);
  }

  async set(key: number, month: string, used: number): Promise<void> {
    await this.#query(
      'INSERT INTO service.usage VALUES ($1, $2, $3) ON CONFLICT (key, month) DO UPDATE SET used = excluded.used',
      [key, month, used],
    );
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    // Requests that came in the same turn share a statement.
    for (await turn(); this.#waiting.length > 0; ) await this.#countAll(this.#takeWaiting());
    this.#isSending = false;
  }

  async #countAll(batch: readonly Waiting[]): Promise<void> {
    const accounts = Map.groupBy(batch, ({ key, month }) => `${key} ${month}`);
    const sums = toColumns([...accounts.values()].map(sumRequests));
    const isAlone = batch.length === 1;
    try {
      // A crash of the server ends the connection, so that no flush follows a count that was lost.
      const rows = await this.#database.session(async (query) => {
        const counted = await query(isAlone ? add : addInMemory, sums);
        if (!isAlone) await query(flush);
        return counted;
      });
      for (const { key, month, used } of rows) handOut(accounts.get(`${key} ${month}`) ?? [], Number(used));
    } catch (error) {
      // Requests that arrived meanwhile were not sent or counted, and have waited long enough.
      for (const request of [...batch, ...this.#takeWaiting()]) request.reject(error);
    }
  }

  #takeWaiting(): Waiting[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

type Sum = { readonly key: number; readonly month: string; readonly requests: number };

function sumRequests(waiting: readonly Waiting[]): Sum {
  const [{ key, month } = { key: 0, month: '' }] = waiting;
  return { key, month, requests: waiting.reduce((sum, { requests }) => sum + requests, 0) };
}

function toColumns(sums: readonly Sum[]): unknown[] {
  return [sums.map((sum) => sum.key), sums.map((sum) => sum.month), sums.map((sum) => sum.requests)];
}

/** Gives every request its count, in the order of arrival. */
function handOut(waiting: readonly Waiting[], used: number): void {
  let count = used - waiting.reduce((sum, { requests }) => sum + requests, 0);
  for (const request of waiting) {
    count += request.requests;
    request.resolve(count);
  }
}
