import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Statements } from '@candleproof/files/database-file';
import { type FoldedCandle, LENGTH, type Sample } from '../../market/candle.ts';
import type { PoolState } from '../../market/pool-walk.ts';
import type { Generation } from '../../market/pools.ts';
import type { CandleTables } from '../candle-reading.ts';
import { type HeldMonth, readToken, readWalks, type StoredPool, type StoredToken } from '../stored-market.ts';
import { VersionedCache } from './database.ts';

/** A row as an array in column order, with integers as bigint. Takes half the time of objects. */
type SampleRow = [
  pool: bigint,
  t: bigint,
  price: number,
  volume: bigint,
  volumeUsdCents: bigint,
  liquidity: bigint,
  liquidityUsdCents: bigint,
];

type CandleRow = [
  pool: bigint,
  length: bigint,
  start: bigint,
  lastSample: bigint,
  samples: bigint,
  open: number,
  high: number,
  low: number,
  close: number,
  priceSum: number,
  inverseSum: number,
  volume: bigint,
  volumeUsdCents: bigint,
  liquidity: bigint,
  liquidityUsdCents: bigint,
];

/**
 * Selects the time of a pool's newest sample, from its shortest candles if the samples were dropped. Parameters are not numbered:
 * Node 22 binds a numbered one as a named one.
 */
const NEWEST = `
  SELECT coalesce(
    (SELECT max(t) FROM samples WHERE pool = ? AND t <= ?),
    (SELECT last_sample FROM candles WHERE pool = ? AND length = ${LENGTH.FIVEMIN} AND start <= ? AND last_sample <= ?
     ORDER BY start DESC LIMIT 1)
  ) AS t`;

const TOKENS = `
  SELECT * FROM token_prices JOIN tokens USING (position)
  WHERE t = (SELECT max(t) FROM token_prices WHERE t <= ?) ORDER BY position`;

const MONTHS = `
  SELECT strftime('%Y-%m', t, 'unixepoch') AS month, count(*) AS samples FROM samples WHERE t < ?
  GROUP BY 1 ORDER BY 1`;

/** Reads the market's tables. Times are Unix seconds, and ranges include both ends. */
export class SqliteMarket implements CandleTables {
  readonly #database: DatabaseSync;
  readonly #sql: Statements;
  readonly #newest: VersionedCache<number>;
  readonly #pools: VersionedCache<StoredPool>;
  readonly #samples: StatementSync;
  readonly #candles: StatementSync;

  /** `version` changes with the market. Pools and the newest sample as of a minute are cached until then. */
  constructor(database: DatabaseSync, version: () => string) {
    this.#database = database;
    this.#sql = new Statements(database);
    this.#newest = new VersionedCache(version);
    this.#pools = new VersionedCache(version);
    this.#samples = database.prepare('SELECT * FROM samples WHERE pool = ? AND t BETWEEN ? AND ? ORDER BY t');
    this.#candles = database.prepare(
      'SELECT * FROM candles WHERE pool = ? AND length = ? AND start BETWEEN ? AND ? ORDER BY start',
    );
    for (const statement of [this.#samples, this.#candles]) {
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
    }
  }

  samples(pool: number, from: number, to: number): Sample[] {
    return (this.#samples.all(pool, from, to) as unknown as SampleRow[]).map(toSample);
  }

  candles(pool: number, length: number, from: number, to: number): FoldedCandle[] {
    return (this.#candles.all(pool, length, from, to) as unknown as CandleRow[]).map(toCandle);
  }

  /** Returns the time of the pool's newest sample that is not after `now`. */
  newestSample(pool: number, now: number): number | undefined {
    const minute = Math.floor(now / 60) * 60;
    return this.#cached(this.#newest, `${pool} ${minute}`, () => {
      const t = this.#sql.get(NEWEST, pool, minute, pool, minute, minute)?.t;
      return typeof t === 'number' ? t : undefined;
    });
  }

  /** Returns a pool by its generation, v1 or v2, and its id there; undefined if there is none. */
  pool(generation: Generation, id: number): StoredPool | undefined {
    const read = () =>
      this.#sql.get('SELECT * FROM pools WHERE generation = ? AND id = ?', generation, id) as
        | StoredPool
        | undefined;
    return this.#cached(this.#pools, `${generation} ${id}`, read);
  }

  /** Returns all pools: those of v1 by id, then those of v2, which are numbered anew. */
  pools(): StoredPool[] {
    return this.#sql.all('SELECT * FROM pools ORDER BY generation, id') as unknown as StoredPool[];
  }

  /** Returns the named numbers, such as the seed. */
  facts(): Map<string, number> {
    const rows = this.#sql.all('SELECT name, value FROM facts');
    return new Map(rows.map(({ name, value }) => [String(name), Number(value)]));
  }

  /** Returns the state from which the simulation goes on with each series, by its name, such as `v2/7`. */
  walks(): Map<string, PoolState> {
    return readWalks(this.#sql.all('SELECT * FROM walks'));
  }

  /** Returns the months with stored samples before a time (Unix seconds), oldest first. */
  listMonthsBefore(instant: number): HeldMonth[] {
    return this.#sql
      .all(MONTHS, instant)
      .map(({ month, samples }) => ({ month: String(month), samples: Number(samples) }));
  }

  /** Returns USD per HBAR at the last minute not after `now` (Unix seconds). */
  hbarUsd(now: number): number | undefined {
    const row = this.#sql.get('SELECT usd FROM hbar_prices WHERE t <= ? ORDER BY t DESC LIMIT 1', now);
    return typeof row?.usd === 'number' ? row.usd : undefined;
  }

  /** Returns all tokens with their newest prices not after `now` (Unix seconds), in list order. */
  listTokens(now: number): StoredToken[] {
    return this.#sql.all(TOKENS, now).map(readToken);
  }

  /** Caches nothing within a transaction, whose changes must be visible. */
  #cached<Value>(
    cache: VersionedCache<Value>,
    name: string,
    read: () => Value | undefined,
  ): Value | undefined {
    return this.#database.isTransaction ? read() : cache.get(name, read);
  }
}

function toSample(row: SampleRow): Sample {
  const [, t, price, volume, volumeUsdCents, liquidity, liquidityUsdCents] = row;
  return { t: Number(t), price, volume, volumeUsdCents, liquidity, liquidityUsdCents };
}

function toCandle(row: CandleRow): FoldedCandle {
  return {
    start: Number(row[2]),
    lastSample: Number(row[3]),
    samples: Number(row[4]),
    open: row[5],
    high: row[6],
    low: row[7],
    close: row[8],
    priceSum: row[9],
    inverseSum: row[10],
    volume: row[11],
    volumeUsdCents: row[12],
    liquidity: row[13],
    liquidityUsdCents: row[14],
  };
}
