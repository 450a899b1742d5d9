import type { PostgresQuery, PostgresRow } from '../../../postgres/postgres-database.ts';
import type { FoldedCandle, Sample } from '../../market/candle.ts';
import type { Generation } from '../../market/pools.ts';
import type { StoredPool, StoredToken } from '../stored-market.ts';

const named = {
  samples: {
    name: 'samples',
    text: 'SELECT * FROM service.samples WHERE pool = $1 AND t BETWEEN $2 AND $3 ORDER BY t',
  },
  candles: {
    name: 'candles',
    text: 'SELECT * FROM service.candles WHERE pool = $1 AND length = $2 AND start BETWEEN $3 AND $4 ORDER BY start',
  },
  newest: {
    name: 'newest',
    // Before the last five minutes the candles have the time, also where the samples were dropped.
    text: `SELECT coalesce(
        (SELECT t FROM service.samples WHERE pool = $1 AND t BETWEEN $2 - 299 AND $2 ORDER BY t DESC LIMIT 1),
        (SELECT last_sample FROM service.candles WHERE pool = $1 AND length = 300 AND start <= $2 AND last_sample <= $2
         ORDER BY start DESC LIMIT 1)
      ) AS t`,
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

  /** Returns the time of the pool's newest sample that is not after `now`. */
  async newestSample(pool: number, now: number): Promise<number | undefined> {
    const [row] = await this.#query(named.newest, [pool, now]);
    return row?.t == null ? undefined : Number(row.t);
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
    return (await this.#query(named.tokens, [now])).map(toToken);
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

/** Returns the token of a row, with its price. */
export function toToken(row: PostgresRow): StoredToken {
  return {
    position: Number(row.position),
    id: String(row.id),
    icon: String(row.icon),
    symbol: String(row.symbol),
    decimals: Number(row.decimals),
    price: toBigInt(row.price),
    ...(row.price_usd === null ? {} : { priceUsd: Number(row.price_usd) }),
    dueDiligenceComplete: row.due_diligence_complete === true,
    isFeeOnTransferToken: row.is_fee_on_transfer === true,
  };
}

/** Returns the sample of a row. */
export function toSample(row: PostgresRow): Sample {
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
