import type { Distortion } from '../api/distortion.ts';
import { multiplyUsd, multiplyWhole } from './bending/bent-candles.ts';
import { declareFaults } from './fault.ts';
import { bendTokens } from './types.ts';

const TINYBARS_IN_HBAR = 8;

export const scalingFaults = declareFaults('scaling', [
  {
    id: 'six-decimals-scaled-wrongly',
    number: 'F76',
    title: 'the price of tokens with six decimals is 100000000 times too high',
    alters: ['tokens/unit-of-price'],
    sizes: { unit: 'times', usual: 1e8, scale: [1.001, 1.005, 1.02, 1.1, 2, 1e8] },
    make: (size) =>
      bendTokens((token) =>
        token.decimals === 6 ? { ...token, price: multiplyWhole(String(token.price), size) } : token,
      ),
  },
  {
    id: 'volume-in-whole-coins',
    number: 'F77',
    title: 'volume is in HBAR instead of tinybars',
    alters: ['candle/usd-rates-agree', 'candle/decimals'],
    make: () => ({ candle: (candle) => ({ ...candle, volume: tinybarsToHbar(candle.volume) }) }),
  },
  {
    id: 'liquidity-of-one-side',
    number: 'F78',
    title: 'liquidity counts one side of the pool, half of what liquidityUsd does',
    alters: ['candle/usd-rates-agree'],
    sizes: { unit: 'share that is reported', usual: 0.5, scale: [0.99, 0.95, 0.9, 0.5] },
    make: (size) => ({
      candle: (candle) => ({ ...candle, liquidity: multiplyWhole(candle.liquidity, size) }),
    }),
  },
  {
    id: 'stale-rate-of-liquidity',
    number: 'F86',
    class: 'usd',
    title: 'liquidityUsd is reported at an old price of HBAR, which was seven percent higher',
    alters: ['candle/usd-rates-agree'],
    sizes: { unit: 'percent', usual: 7, scale: [1, 3, 7, 20] },
    make: (percent) => ({
      candle: (candle) => ({ ...candle, liquidityUsd: multiplyUsd(candle.liquidityUsd, 1 + percent / 100) }),
    }),
  },
  {
    id: 'nothing-is-worth-a-dollar',
    number: 'F151',
    class: 'usd',
    title: 'volumeUsd is "1" where nothing was traded',
    breaks: ['candle/usd-agrees-with-tinybars'],
    make: () => ({
      candle: (candle) => (candle.volume === '0' ? { ...candle, volumeUsd: '1' } : candle),
    }),
  },
  {
    id: 'worth-of-the-row-before',
    number: 'F86b',
    class: 'usd',
    title: 'volumeUsd and liquidityUsd are those of the row before',
    breaks: ['rollup/liquidity-is-of-the-end'],
    make: () => ({
      rows: (rows) =>
        rows.map((row, index) => {
          const { volumeUsd, liquidityUsd } = rows[index - 1] ?? row;
          return { ...row, volumeUsd, liquidityUsd };
        }),
    }),
  },
  {
    id: 'hours-are-worth-nothing',
    number: 'F190',
    class: 'usd',
    title: 'volumeUsd of HOUR candles is 0',
    breaks: ['candle/usd-amounts-are-not-nothing'],
    make: () => ({
      candle: (candle, { poolQuery }) =>
        poolQuery?.interval === 'HOUR' ? { ...candle, volumeUsd: '0' } : candle,
    }),
  },
  {
    id: 'latest-week-in-dimes',
    number: 'F191',
    class: 'usd',
    title: 'volumeUsd of the latest WEEK candle is ten times too high',
    breaks: ['candle/usd-volumes-keep-their-magnitude'],
    sizes: { unit: 'times', usual: 10, scale: [10, 100, 1000] },
    make: (size) => ({
      candle: (candle, { operation, poolQuery }) =>
        operation === 'getLatestV1PoolCandle' && poolQuery?.interval === 'WEEK'
          ? { ...candle, volumeUsd: multiplyUsd(candle.volumeUsd, size) }
          : candle,
    }),
  },
  {
    id: 'four-digit-prices',
    number: 'F88',
    class: 'float',
    title: 'prices have four significant digits',
    alters: ['candle/precision'],
    sizes: { unit: 'digits', usual: 4, scale: [16, 12, 8, 6, 4] },
    make: (size) => {
      const places = Math.min(100, Math.max(1, Math.round(size)));
      return bendPrices((price) => Number(price.toPrecision(places)));
    },
  },
  {
    id: 'prices-in-single-precision',
    number: 'F88b',
    class: 'float',
    title: 'prices are kept in single precision and printed in double',
    alters: ['candle/precision'],
    make: () => bendPrices(Math.fround),
  },
]);

/** Bends the five prices of each candle. */
function bendPrices(bent: (price: number) => number): Distortion {
  return {
    candle: ({ open, high, low, close, avg, ...rest }) => ({
      ...rest,
      open: bent(open),
      high: bent(high),
      low: bent(low),
      close: bent(close),
      avg: bent(avg),
    }),
  };
}

/** Whole tinybars as decimal text in HBAR, exactly. */
function tinybarsToHbar(tinybars: string): string {
  const text = tinybars.padStart(TINYBARS_IN_HBAR + 1, '0');
  const [whole, rest] = [text.slice(0, -TINYBARS_IN_HBAR), text.slice(-TINYBARS_IN_HBAR)];
  return `${whole}.${rest}`.replace(/\.?0+$/, '') || '0';
}
