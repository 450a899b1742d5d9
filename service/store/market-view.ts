import type { Generation } from '../market/pools.ts';
import type { TokenProfile } from '../market/token-list.ts';
import type { CandleReading } from './candle-reading.ts';

/** A pool as the store knows it. */
export type StoredPool = {
  /** The store's own number, one for all generations. */
  readonly pool: number;
  readonly generation: Generation;
  readonly id: number;
  /** Unix seconds of its first sample; UNBORN before there is any. */
  readonly birth: number;
  /** Raised whenever a sample changes that is not newer than all others of the pool. */
  readonly revision: number;
};

/** Birth of a pool without samples, later than any time that can be requested. */
export const UNBORN = 1e11;

/** A token of the list; `price` is its tinybars per whole token at the instant requested. */
export type StoredToken = TokenProfile & {
  readonly position: number;
  /** Price in USD where it was given; left out where it follows from the price of HBAR. */
  readonly priceUsd?: number;
};

/** Everything that answers are made from. */
export type MarketView = {
  /** Changes with the market, whichever process changed it: what was read as of another one is read anew. */
  readonly version: string;
  readonly candles: Pick<CandleReading, 'latest' | 'at' | 'closed' | 'newestSample'>;
  readonly facts: {
    pool(generation: Generation, id: number): StoredPool | undefined;
    /** USD per HBAR at the last minute not after `now` (Unix seconds). */
    hbarUsd(now: number): number | undefined;
  };
  /** All tokens with their newest prices not after `now` (Unix seconds), in the order of the list. */
  readonly tokens: { listed(now: number): StoredToken[] };
};
