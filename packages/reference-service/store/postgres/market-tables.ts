import type { PostgresQuery, PostgresRow } from '@candleproof/postgres/postgres-database';
import { bucketStart, type FoldedCandle, LENGTH, type Sample } from '../../market/candle.ts';
import type { Generation } from '../../market/pools.ts';
import { readToken, type StoredPool, type StoredToken } from '../stored-market.ts';

const named = {
  samples: {
    name: 'samples',
    text: 'SELECT * FROM service.samples WHERE pool = $1 AND t BETWEEN $2 AND $3 ORDER BY t',
  },
  candles: {
    name: 'candles',
    text: 'SELECT * FROM service.candles WHERE pool = $1 AND length = $2 AND start BETWEEN $3 AND $4 ORDER BY start',
  },
  open: {
    name: 'open',
    text: `SELECT $1 AS pool, 60 AS length, t AS start, t AS last_sample, 1 AS samples, price AS open, price AS high,
        price AS low, price AS close, price AS price_sum, price AS inverse_sum,
        volume, volume_usd_cents, liquidity, liquidity_usd_cents
      FROM service.samples WHERE pool = $1 AND t BETWEEN $2 - $2 % 300 AND $2
      UNION ALL SELECT * FROM service.candles
      WHERE pool = $1 AND length = 300 AND start BETWEEN $2 - $2 % 3600 AND $2 AND last_sample <= $2
      UNION ALL (SELECT * FROM service.candles WHERE pool = $1 AND length = 300 AND start < $2 - $2 % 3600
        ORDER BY start DESC LIMIT 1)
      UNION ALL SELECT * FROM service.candles
      WHERE pool = $1 AND length = 3600 AND start BETWEEN $2 - $2 % 86400 AND $2 - $2 % 3600 - 3600
      UNION ALL (SELECT $1, 0, t, t, 0, usd, usd, usd, usd, usd, usd, 0, 0, 0, 0 FROM service.hbar_prices
        WHERE t <= $2 ORDER BY t DESC LIMIT 1)
      ORDER BY start`,
  },
  pool: { name: 'pool', text: 'SELECT * FROM service.pools WHERE generation = $1 AND id = $2' },
  hbar: {
    name: 'hbar',
    text: 'SELECT usd FROM service.hbar_prices WHERE t <= $1 ORDER BY t DESC LIMIT 1',
  },
  tokens: {
    name: 'tokens',
    text: `SELECT * FROM service.token_prices JOIN service.tokens USING (position)
      WHERE t = (SELECT max(t) FROM service.token_prices WHERE t <= $1) ORDER BY position`,
  },
} as const;

/** The closed parts of a pool's open candles, ascending, the time of its newest sample, and the price of HBAR in USD. */
export type OpenParts = {
  /** Samples of the open five-minute bucket. */
  readonly samples: readonly Sample[];
  /** Closed five-minute candles of the open hour. */
  readonly fives: readonly FoldedCandle[];
  /** Closed candles of the hours of the open day. */
  readonly hours: readonly FoldedCandle[];
  /** Present even if the samples were dropped. */
  readonly newest: number | undefined;
  readonly hbarUsd: number | undefined;
};

/** Reads the market's tables. Times are Unix seconds, and ranges include both ends. */
export class MarketTables {
  readonly #query: PostgresQuery;

  constructor(query: PostgresQuery) {
    this.#query = query;
  }

  async samples(pool: number, from: number, to: number): Promise<Sample[]> {
    return (await this.#query(named.samples, [pool, from, to])).map(toSample);
  }

  async candles(pool: number, length: number, from: number, to: number): Promise<FoldedCandle[]> {
    return (await this.#query(named.candles, [pool, length, from, to])).map(toCandle);
  }

  /** Reads everything that the open candles of a pool are made from, as of a minute (Unix seconds), in one round trip. */
  async openParts(pool: number, minute: number): Promise<OpenParts> {
    const rows = Map.groupBy(await this.#query(named.open, [pool, minute]), ({ length }) => Number(length));
    const [hour, five] = [bucketStart(minute, 'HOUR', 0), bucketStart(minute, 'FIVEMIN', 0)];
    const samples = (rows.get(60) ?? []).map((row) => toSample({ ...row, t: row.start, price: row.open }));
    const fives = (rows.get(LENGTH.FIVEMIN) ?? []).map(toCandle);
    return {
      samples,
      fives: fives.filter(({ start }) => start >= hour && start < five),
      hours: (rows.get(LENGTH.HOUR) ?? []).map(toCandle),
      newest: samples.at(-1)?.t ?? fives.at(-1)?.lastSample,
      hbarUsd: rows.get(0)?.map(({ open }) => Number(open))[0],
    };
  }

  async pool(generation: Generation, id: number): Promise<StoredPool | undefined> {
    const [row] = await this.#query(named.pool, [generation, id]);
    return row && toPool(row);
  }

  async hbarUsd(now: number): Promise<number | undefined> {
    const [row] = await this.#query(named.hbar, [now]);
    return row && Number(row.usd);
  }

  async tokens(now: number): Promise<StoredToken[]> {
    return (await this.#query(named.tokens, [now])).map(readToken);
  }
}

/** Returns the pool of a row. */
export function toPool(row: PostgresRow): StoredPool {
  return {
    pool: Number(row.pool),
    generation: row.generation === 'v1' ? 'v1' : 'v2',
    id: Number(row.id),
    birth: Number(row.birth),
    revision: Number(row.revision),
  };
}

/** Returns the sample of a row. */
export function toSample(row: Partial<PostgresRow>): Sample {
  return {
    t: Number(row.t),
    price: Number(row.price),
    volume: toBigInt(row.volume),
    volumeUsdCents: toBigInt(row.volume_usd_cents),
    liquidity: toBigInt(row.liquidity),
    liquidityUsdCents: toBigInt(row.liquidity_usd_cents),
  };
}

/** Returns the candle of a row. */
export function toCandle(row: PostgresRow): FoldedCandle {
  return {
    start: Number(row.start),
    lastSample: Number(row.last_sample),
    samples: Number(row.samples),
    open: Number(row.open),
    high: Number(row.high),
    low: Number(row.low),
    close: Number(row.close),
    priceSum: Number(row.price_sum),
    inverseSum: Number(row.inverse_sum),
    volume: toBigInt(row.volume),
    volumeUsdCents: toBigInt(row.volume_usd_cents),
    liquidity: toBigInt(row.liquidity),
    liquidityUsdCents: toBigInt(row.liquidity_usd_cents),
  };
}

function toBigInt(value: PostgresRow[string] | undefined): bigint {
  return typeof value === 'bigint' ? value : BigInt(String(value));
}
