import { type PoolProfile, SIMULATED_POOLS } from './pools.ts';

/** A set of pools that are simulated together; a store keeps the number of the one it was built with. */
export type Market = {
  readonly number: number;
  readonly name: string;
  readonly pools: readonly PoolProfile[];
};

/** Pools that are sampled in every minute from their birth on. */
export const MAINNET: Market = { number: 0, name: 'mainnet', pools: SIMULATED_POOLS };

/** A lively pool of each generation, one whose sampling is out now and then, and one that was given up. */
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
      sampledFor: 8 * 86_400 + 3 * 3600 + 22 * 60,
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
