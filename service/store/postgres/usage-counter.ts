import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresDatabase, PostgresQuery } from '../../../postgres/postgres-database.ts';
import type { UsageBook } from '../accounts.ts';

/** A request to count, with its waiting caller. */
type Waiting = {
  readonly key: number;
  readonly month: string;
  readonly requests: number;
  resolve(used: number): void;
  reject(error: unknown): void;
};

/** Locks rows in the order of their keys, so that processes cannot deadlock. */
const add = {
  name: 'count',
  text: `INSERT INTO service.usage SELECT * FROM unnest($1::int[], $2::text[], $3::int8[]) AS each (key, month, requests)
    ORDER BY key, month
    ON CONFLICT (key, month) DO UPDATE SET used = usage.used + excluded.used RETURNING key, month, used`,
} as const;

/** Longest delay in ms of the answer to a failed request while its count is reverted. */
const mostPatienceMs = 250;

const takeBack = {
  name: 'take back',
  text: 'UPDATE service.usage SET used = used - $4 WHERE key = $1 AND month = $2 AND used = $3 RETURNING used',
} as const;

/**
 * Counts the requests of every key by month, exactly across all processes: a count is in the database before the answer
 * is sent. One statement runs at a time. Requests that arrive meanwhile share the next one, and each gets its own number
 * of the resulting range.
 */
export class PostgresUsageCounter implements UsageBook {
  readonly #query: PostgresQuery;
  readonly #onTrouble: (error: unknown) => void;
  #waiting: Waiting[] = [];
  #busy = false;

  constructor({ query }: Pick<PostgresDatabase, 'query'>, onTrouble: (error: unknown) => void) {
    this.#query = query;
    this.#onTrouble = onTrouble;
  }

  count(key: number, month: string, requests: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, month, requests, resolve, reject });
      if (!this.#busy) this.#send();
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
    this.#busy = true;
    for (let batch = this.#takeWaiting(); batch.length > 0; batch = this.#takeWaiting()) {
      const accounts = Map.groupBy(batch, ({ key, month }) => `${key} ${month}`);
      try {
        const sums = [...accounts.values()].map(sumRequests);
        const rows = await this.#query(add, toColumns(sums));
        for (const { key, month, used } of rows) handOut(accounts.get(`${key} ${month}`) ?? [], Number(used));
      } catch (error) {
        // Requests that arrived meanwhile were not sent or counted, and have waited long enough.
        for (const request of [...batch, ...this.#takeWaiting()]) request.reject(error);
      }
    }
    this.#busy = false;
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
