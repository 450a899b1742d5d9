/** Pool generations live under different paths and number their pools independently (§9). */
export type Generation = 'v1' | 'v2';

/** One pool of the simulated market. */
export type PoolProfile = {
  readonly generation: Generation;
  readonly id: number;
  /** Seconds into the market's first day at which sampling began; deliberately on no bucket's boundary. */
  readonly bornAfter: number;
  readonly price: number;
  /** Usual size of one minute's price step, in log price. */
  readonly step: number;
  /** Chance that anything is traded in a minute, and that the price moves although nothing is. */
  readonly tradeRate: number;
  readonly driftRate: number;
  /** Typical tinybars traded in a minute with trades, and held by the pool. */
  readonly volume: number;
  readonly liquidity: number;
  /** Chance in each quarter of a day that sampling is out, and for how many seconds. */
  readonly outages?: { readonly chance: number; readonly seconds: number };
  /** Seconds after its birth at which sampling ends for good. */
  readonly sampledFor?: number;
};

/** Each generation has a busy and a quiet pool; the id 1 is taken in both, by different pools. */
export const SIMULATED_POOLS: readonly PoolProfile[] = [
  {
    generation: 'v1',
    id: 0,
    bornAfter: 7 * 3600 + 23 * 60,
    price: 0.0482,
    step: 0.0006,
    tradeRate: 0.55,
    driftRate: 0.4,
    volume: 2e10,
    liquidity: 9.6e13,
  },
  {
    generation: 'v1',
    id: 1,
    bornAfter: 9 * 3600 + 47 * 60,
    price: 12.71,
    step: 0.002,
    tradeRate: 0.004,
    driftRate: 0.01,
    volume: 6e9,
    liquidity: 3.1e12,
  },
  {
    generation: 'v2',
    id: 1,
    bornAfter: 13 * 3600 + 11 * 60,
    price: 0.3174,
    step: 0.0007,
    tradeRate: 0.8,
    driftRate: 0.2,
    volume: 5e10,
    liquidity: 4.2e14,
  },
  {
    generation: 'v2',
    id: 3,
    bornAfter: 16 * 3600 + 38 * 60,
    price: 1834.2,
    step: 0.0015,
    tradeRate: 0.01,
    driftRate: 0.02,
    volume: 9e9,
    liquidity: 8.4e12,
  },
];
