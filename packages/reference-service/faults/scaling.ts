import { mapPrices, multiplyAmount, multiplyWhole, roundPrices } from './bending/bent-values.ts';
import { all, everywhere, hasInterval, isLatest } from './bending/places.ts';
import { declareFaults } from './fault.ts';
import { bendTokens } from './types.ts';

const TINYBARS_IN_HBAR = 8;

export const scalingFaults = declareFaults('scaling', {
  'F76 six-decimals-scaled-wrongly': {
    title: 'the price of tokens with six decimals is 100000000 times too high',
    alters: ['tokens/unit-of-price'],
    sizes: { unit: 'times', usual: 1e8, scale: [1.001, 1.005, 1.02, 1.1, 2, 1e8] },
    make: (size) =>
      bendTokens((token) =>
        token.decimals === 6 ? { ...token, price: multiplyWhole(String(token.price), size) } : token,
      ),
  },
  'F77 volume-in-whole-coins': {
    title: 'volume is in HBAR instead of tinybars',
    alters: ['candle/usd-rates-agree', 'candle/decimals'],
    make: () => ({ candle: (candle) => ({ ...candle, volume: tinybarsToHbar(candle.volume) }) }),
  },
  'F78 liquidity-of-one-side': {
    title: 'liquidity counts one side of the pool, half of what liquidityUsd does',
    alters: ['candle/usd-rates-agree'],
    sizes: { unit: 'share that is reported', usual: 0.5, scale: [0.99, 0.95, 0.9, 0.5] },
    make: (size) => multiplyAmount('liquidity', everywhere, () => size),
  },
  'F86 stale-rate-of-liquidity': {
    class: 'usd',
    title: 'liquidityUsd is reported at an old price of HBAR, which was seven percent higher',
    alters: ['candle/usd-rates-agree'],
    sizes: { unit: 'percent', usual: 7, scale: [1, 3, 7, 20] },
    make: (percent) => multiplyAmount('liquidityUsd', everywhere, () => 1 + percent / 100),
  },
  'F151 nothing-is-worth-a-dollar': {
    class: 'usd',
    title: 'volumeUsd is "1" where nothing was traded',
    breaks: ['candle/usd-agrees-with-tinybars'],
    make: () => ({
      candle: (candle) => (candle.volume === '0' ? { ...candle, volumeUsd: '1' } : candle),
    }),
  },
  'F86b worth-of-the-row-before': {
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
  'F190 hours-are-worth-nothing': {
    class: 'usd',
    title: 'volumeUsd of HOUR candles is 0',
    breaks: ['candle/usd-amounts-are-not-nothing'],
    make: () => multiplyAmount('volumeUsd', hasInterval('HOUR'), () => 0),
  },
  'F191 latest-week-in-dimes': {
    class: 'usd',
    title: 'volumeUsd of the latest WEEK candle is ten times too high',
    breaks: ['candle/usd-volumes-keep-their-magnitude'],
    sizes: { unit: 'times', usual: 10, scale: [10, 100, 1000] },
    make: (size) => multiplyAmount('volumeUsd', all(isLatest, hasInterval('WEEK')), () => size),
  },
  'F88 four-digit-prices': {
    class: 'float',
    title: 'prices have four significant digits',
    alters: ['candle/precision'],
    sizes: { unit: 'digits', usual: 4, scale: [16, 12, 8, 6, 4] },
    make: (size) => ({ candle: (candle) => roundPrices(candle, size) }),
  },
  'F88b prices-in-single-precision': {
    class: 'float',
    title: 'prices are kept in single precision and printed in double',
    alters: ['candle/precision'],
    make: () => ({ candle: (candle) => mapPrices(candle, Math.fround) }),
  },
});

/** Whole tinybars as decimal text in HBAR, exactly. */
function tinybarsToHbar(tinybars: string): string {
  const text = tinybars.padStart(TINYBARS_IN_HBAR + 1, '0');
  const [whole, rest] = [text.slice(0, -TINYBARS_IN_HBAR), text.slice(-TINYBARS_IN_HBAR)];
  return `${whole}.${rest}`.replace(/\.?0+$/, '') || '0';
}
