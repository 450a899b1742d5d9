import type { Sample } from '../market/candle.ts';
import type { PoolState } from '../market/pool-walk.ts';
import type { Generation } from '../market/pools.ts';
import type { TokenProfile } from '../market/token-list.ts';
import type { CandleReading } from './candle-reading.ts';
import type { MergeCounts } from './sample-merge.ts';

/** Name of the fact with the time (Unix seconds) from which samples are accepted; older ones were dropped. */
export const SAMPLES_FROM = 'samples_from';

/** A month (`2026-11`, UTC) with its number of stored samples. */
export type HeldMonth = { readonly month: string; readonly samples: number };

/** The market's state before a change. */
export type MarketState = {
  /** Named numbers, such as the seed. */
  readonly facts: ReadonlyMap<string, number>;
  /** Ordered by id within a generation. */
  readonly pools: readonly StoredPool[];
  /** The exact state of each simulated series. */
  readonly walks: ReadonlyMap<string, PoolState>;
};

/** A pool as the API names it. */
export type PoolName = { readonly generation: Generation; readonly id: number };

/** An ingested token with both prices. */
export type GivenToken = TokenProfile & { readonly priceUsd: number };

/** An atomic change, applied in the order of the fields, and of each list. */
export type MarketChange = {
  /** Deletes samples before this time (Unix seconds, the start of a month in UTC). Their candles stay. */
  readonly dropBefore?: number;
  /** Deletes all samples, candles, walks and HBAR prices, and sets the birth of all pools to this time (Unix seconds). */
  readonly bornAnew?: number;
  readonly facts?: Readonly<Record<string, number>>;
  /** Existing pools do not change. Without a birth, a pool is born with its first sample. */
  readonly pools?: readonly (PoolName & { readonly birth?: number })[];
  /** Replace the tokens with the same id, or are appended to the list. */
  readonly givenTokens?: readonly GivenToken[];
  /** The simulated tokens, by position. */
  readonly listedTokens?: readonly TokenProfile[];
  /** Tinybars per whole token from a time on. */
  readonly tokenPrices?: readonly { readonly t: number; readonly position: number; readonly price: bigint }[];
  readonly hbarUsd?: readonly (readonly [t: number, usd: number])[];
  readonly walks?: ReadonlyMap<string, PoolState>;
  /** In any order; the last sample of a minute wins. */
  readonly samples?: readonly (PoolName & { readonly arrived: readonly Sample[] })[];
};

/** The effect of a change on pools, ingested tokens and samples. */
export type ChangeCounts = {
  readonly pools: MergeCounts;
  readonly tokens: MergeCounts;
  readonly observations: MergeCounts;
};

const none: MergeCounts = { added: 0, unchanged: 0, corrected: 0 };

export const NOTHING_CHANGED: ChangeCounts = { pools: none, tokens: none, observations: none };

/** Time from which ingested tokens are valid, as they come without one. */
export const ALWAYS = 0;

/** Returns whether two tokens have the same fields. */
export function isSameToken(
  a: TokenProfile & { readonly priceUsd?: number },
  b: TokenProfile & { readonly priceUsd?: number },
): boolean {
  return (
    a.icon === b.icon &&
    a.symbol === b.symbol &&
    a.decimals === b.decimals &&
    a.price === b.price &&
    a.priceUsd === b.priceUsd &&
    a.dueDiligenceComplete === b.dueDiligenceComplete &&
    a.isFeeOnTransferToken === b.isFeeOnTransferToken
  );
}

/** A pool in the store. */
export type StoredPool = {
  /** The store's number of the pool, unique across generations. */
  readonly pool: number;
  readonly generation: Generation;
  readonly id: number;
  /** Unix seconds of its first sample; UNBORN without samples. */
  readonly birth: number;
  /** Incremented when a sample changes that is not the pool's newest. */
  readonly revision: number;
};

/** Birth of a pool without samples; later than any time in a request. */
export const UNBORN = 1e11;

/** A token of the list; `price` is in tinybars per whole token at the requested time. */
export type StoredToken = TokenProfile & {
  readonly position: number;
  /** Ingested price in USD; undefined if it follows from the HBAR price. */
  readonly priceUsd?: number;
};

type Row = Readonly<Record<string, unknown>>;

/** Returns the token of a row, with its price. */
export function readToken(row: Row): StoredToken {
  return {
    position: Number(row.position),
    id: String(row.id),
    icon: String(row.icon),
    symbol: String(row.symbol),
    decimals: Number(row.decimals),
    price: BigInt(String(row.price)),
    ...(row.price_usd === null ? {} : { priceUsd: Number(row.price_usd) }),
    dueDiligenceComplete: Boolean(row.due_diligence_complete),
    isFeeOnTransferToken: Boolean(row.is_fee_on_transfer),
  };
}

/** Returns the states of rows, by their series. */
export function readWalks(rows: readonly Row[]): Map<string, PoolState> {
  return new Map(
    rows.map((row) => {
      const walk = { level: Number(row.level), nervousness: Number(row.nervousness) };
      return [String(row.series), { walk, logLiquidity: Number(row.log_liquidity) }];
    }),
  );
}

/** The data that answers are made from. */
export type MarketView = {
  /** Changes with the market, also when another process changes it. Data of another version is read again. */
  readonly version: string;
  readonly candles: Pick<CandleReading, 'latest' | 'at' | 'closedCandles' | 'newestSample'>;
  readonly facts: {
    pool(generation: Generation, id: number): StoredPool | undefined;
    /** Returns USD per HBAR at the last minute not after `now` (Unix seconds). */
    hbarUsd(now: number): number | undefined;
  };
  /** Returns all tokens with their newest prices not after `now` (Unix seconds), in list order. */
  readonly tokens: { listTokens(now: number): StoredToken[] };
};
