import { formatUsdAmount } from './bending/amounts.ts';
import { eachCandle } from './bending/bent-candles.ts';
import type { Fault } from './fault.ts';

export const liquidityFaults: readonly Fault[] = [
  {
    id: 'liquidity-is-summed',
    number: 'F83',
    class: 'liquidity',
    title: 'liquidity is summed over the minutes of the bucket',
    breaks: ['rollup/liquidity-is-of-the-end'],
    shows: 'one check',
    make: () =>
      eachCandle((candle) => ({
        ...candle,
        liquidity: candle.liquidity * BigInt(candle.samples),
        liquidityUsdCents: candle.liquidityUsdCents * BigInt(candle.samples),
      })),
  },
  {
    id: 'liquidity-of-the-start',
    number: 'F84',
    class: 'liquidity',
    title: 'liquidity is that of the first minute of the bucket',
    breaks: ['rollup/liquidity-is-of-the-end'],
    shows: 'one check',
    make: () =>
      eachCandle((candle, { source, pool }) => {
        const first = source.at(pool, 'FIVEMIN', candle.start, candle.start);
        if (!first) return candle;
        const { liquidity, liquidityUsdCents } = first;
        return { ...candle, liquidity, liquidityUsdCents };
      }),
  },
  {
    id: 'volume-at-the-last-rate',
    number: 'F85',
    class: 'usd',
    title: 'volumeUsd is the whole volume at the price of HBAR at the end of the bucket',
    breaks: ['rollup/usd-volume-is-summed'],
    shows: 'one check',
    make: () => ({
      candle: (candle) => {
        const rate = Number(candle.liquidityUsd) / Number(candle.liquidity);
        return rate > 0 ? { ...candle, volumeUsd: formatUsdAmount(Number(candle.volume) * rate) } : candle;
      },
    }),
  },
];
