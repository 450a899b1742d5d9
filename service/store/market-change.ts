import type { Sample } from '../market/candle.ts';
import type { PoolState } from '../market/pool-walk.ts';
import type { Generation } from '../market/pools.ts';
import type { TokenProfile } from '../market/token-list.ts';
import type { StoredPool } from './market-view.ts';
import type { MergeCounts } from './sample-merge.ts';

/** The fact under which it is kept from when on (Unix seconds) samples are taken: what was before is gone for good. */
export const SAMPLES_FROM = 'samples_from';

/** A month (`2026-11`, UTC) of which samples are held, and how many. */
export type HeldMonth = { readonly month: string; readonly samples: number };

/** What a change of the market may start from. */
export type MarketState = {
  /** Numbers under names, such as the seed. */
  readonly facts: ReadonlyMap<string, number>;
  /** Those of one generation by ascending id. */
  readonly pools: readonly StoredPool[];
  /** Where the simulation of each series stopped, bit by bit. */
  readonly walks: ReadonlyMap<string, PoolState>;
};

/** A pool by the names that it has outside. */
export type PoolName = { readonly generation: Generation; readonly id: number };

/** A token as it is handed in, with both of its prices. */
export type GivenToken = TokenProfile & { readonly priceUsd: number };

/** What is kept, or nothing of it; in the order of the fields, and each list in its own. */
export type MarketChange = {
  /** Samples of before this instant (Unix seconds, the first of a month in UTC) go; their candles stay. */
  readonly dropBefore?: number;
  /** All samples, candles, walks and prices of HBAR go, and the pools are born at this instant (Unix seconds). */
  readonly bornAnew?: number;
  readonly facts?: Readonly<Record<string, number>>;
  /** Those that are there already stay as they are. Without a birth a pool is born with its first sample. */
  readonly pools?: readonly (PoolName & { readonly birth?: number })[];
  /** Kept under their ids; each takes the place of the one that was there, or the last of the list. */
  readonly givenTokens?: readonly GivenToken[];
  /** The simulated list, by position. */
  readonly listedTokens?: readonly TokenProfile[];
  /** Tinybars per whole token of the list's tokens from an instant on. */
  readonly tokenPrices?: readonly { readonly t: number; readonly position: number; readonly price: bigint }[];
  readonly hbarUsd?: readonly (readonly [t: number, usd: number])[];
  readonly walks?: ReadonlyMap<string, PoolState>;
  /** In whatever order; of one minute, the last holds. */
  readonly samples?: readonly (PoolName & { readonly arrived: readonly Sample[] })[];
};

/** What became of pools, given tokens and samples. */
export type ChangeCounts = {
  readonly pools: MergeCounts;
  readonly tokens: MergeCounts;
  readonly observations: MergeCounts;
};

export const NOTHING_CHANGED: ChangeCounts = {
  pools: { added: 0, unchanged: 0, corrected: 0 },
  tokens: { added: 0, unchanged: 0, corrected: 0 },
  observations: { added: 0, unchanged: 0, corrected: 0 },
};

/** Given tokens hold from the beginning of time, for they come without one. */
export const ALWAYS = 0;

/** Does a token hold what was given already? */
export function sameToken(
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
