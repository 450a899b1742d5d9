/** Pool generations have different paths and number their pools independently (§9). */
export type Generation = 'v1' | 'v2';

/** One pool of the simulated market. */
export type PoolProfile = {
  readonly generation: Generation;
  readonly id: number;
  /** Seconds into the market's first day at which sampling began; deliberately not on a bucket boundary. */
  readonly bornAfter: number;
  readonly price: number;
  /** Typical price step of one minute, in log price. */
  readonly step: number;
  /** Chances of a trade in a minute, and of a price move without one. */
  readonly tradeRate: number;
  readonly driftRate: number;
  /** Typical volume of a minute with trades, and liquidity of the pool, in tinybars. */
  readonly volume: number;
  readonly liquidity: number;
  /** Chance of a sampling outage in each quarter of a day, and its length in seconds. */
  readonly outages?: { readonly chance: number; readonly seconds: number };
  /** Seconds after its birth at which sampling ends for good. */
  readonly sampledFor?: number;
};

/** A busy and a quiet pool of each generation. Both generations have a pool with id 1. */
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

/** A set of pools that are simulated together. A store records the number of its market. */
export type Market = {
  readonly number: number;
  readonly name: string;
  readonly pools: readonly PoolProfile[];
};

/** Pools with a sample in every minute from their birth on. */
export const MAINNET: Market = { number: 0, name: 'mainnet', pools: SIMULATED_POOLS };

/** An active pool of each generation, one with sampling outages, and an abandoned one. */
export const TESTNET: Market = {
  number: 1,
  name: 'testnet',
  pools: [
    {
      generation: 'v1',
      id: 0,
      bornAfter: 5 * 3600 + 7 * 60,
      price: 0.051,
      step: 0.0008,
      tradeRate: 0.3,
      driftRate: 0.3,
      volume: 4e9,
      liquidity: 2.2e12,
    },
    {
      generation: 'v1',
      id: 4,
      bornAfter: 6 * 3600 + 41 * 60,
      price: 3.27,
      step: 0.001,
      tradeRate: 0.02,
      driftRate: 0.05,
      volume: 8e8,
      liquidity: 1.3e11,
      sampledFor: 8 * 86400 + 3 * 3600 + 22 * 60,
    },
    {
      generation: 'v2',
      id: 1,
      bornAfter: 8 * 3600 + 19 * 60,
      price: 0.402,
      step: 0.0009,
      tradeRate: 0.4,
      driftRate: 0.2,
      volume: 6e9,
      liquidity: 5.1e12,
    },
    {
      generation: 'v2',
      id: 6,
      bornAfter: 11 * 3600 + 53 * 60,
      price: 71.3,
      step: 0.002,
      tradeRate: 0.005,
      driftRate: 0.01,
      volume: 3e8,
      liquidity: 9.4e10,
      outages: { chance: 0.2, seconds: 2.5 * 3600 },
    },
  ],
};
