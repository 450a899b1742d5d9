import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresDatabase, PostgresQuery } from '../../../postgres/postgres-database.ts';
import type { UsageBook } from '../accounts.ts';

/** A request to be counted, and who waits for its number. */
type Waiting = {
  readonly key: number;
  readonly month: string;
  readonly requests: number;
  resolve(used: number): void;
  reject(error: unknown): void;
};

/** Rows are locked in the order of their keys, so that no two processes wait for one another. */
const add = {
  name: 'count',
  text: `INSERT INTO service.usage SELECT * FROM unnest($1::int[], $2::text[], $3::int8[]) AS each (key, month, requests)
    ORDER BY key, month
    ON CONFLICT (key, month) DO UPDATE SET used = usage.used + excluded.used RETURNING key, month, used`,
} as const;

/** Longest time in ms that the answer to a failed request waits for being taken back. */
const mostPatienceMs = 250;

const takeBack = {
  name: 'take back',
  text: 'UPDATE service.usage SET used = used - $4 WHERE key = $1 AND month = $2 AND used = $3 RETURNING used',
} as const;

/**
 * How many requests each key made in each month, exact over all processes: an answer's number is in the database before
 * it leaves. One statement is under way at a time; the requests that come meanwhile share the next one, and of its sum
 * each takes the part that it came in.
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
        // Perhaps it was taken back: a second try could take another's.
        this.#onTrouble(error);
        return used;
      }
    };
    // What failed may have failed for want of the database: the answer does not wait for it twice.
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
    for (let batch = this.#taken(); batch.length > 0; batch = this.#taken()) {
      const accounts = Map.groupBy(batch, ({ key, month }) => `${key} ${month}`);
      try {
        const sums = [...accounts.values()].map(sumOf);
        const rows = await this.#query(add, columnsOf(sums));
        for (const { key, month, used } of rows) handOut(accounts.get(`${key} ${month}`) ?? [], Number(used));
      } catch (error) {
        // Those that came meanwhile have waited long enough: they were not sent, and are not counted.
        for (const each of [...batch, ...this.#taken()]) each.reject(error);
      }
    }
    this.#busy = false;
  }

  #taken(): Waiting[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

type Sum = { readonly key: number; readonly month: string; readonly requests: number };

function sumOf(waiting: readonly Waiting[]): Sum {
  const [{ key, month } = { key: 0, month: '' }] = waiting;
  return { key, month, requests: waiting.reduce((sum, { requests }) => sum + requests, 0) };
}

function columnsOf(sums: readonly Sum[]): unknown[] {
  return [sums.map((each) => each.key), sums.map((each) => each.month), sums.map((each) => each.requests)];
}

/** Gives each request the count at its place, in the order of their arrival. */
function handOut(waiting: readonly Waiting[], used: number): void {
  let count = used - waiting.reduce((sum, { requests }) => sum + requests, 0);
  for (const each of waiting) {
    count += each.requests;
    each.resolve(count);
  }
}
