import type { CandleSource } from '../api/distortion.ts';
import { bucketStart, type Interval, LENGTH } from '../market/candle.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import { bendCandles, type CandlePlace } from './bending/bent-candles.ts';
import { formatUsdAmount, multiplyAmount, multiplyUsd, multiplyWhole } from './bending/bent-values.ts';
import { all, bendAt, everywhere, hasInterval, isHistory, isOpen } from './bending/places.ts';
import { declareFaults } from './fault.ts';

const SUMMED = 'rollup/volume-is-summed';
const WEDNESDAY = 6;

export const volumeFaults = declareFaults('volume', {
  'F79 daily-volume-twice': {
    title: 'DAY candles count the volume of both legs',
    breaks: [SUMMED],
    sizes: { unit: 'times', usual: 2, scale: [1 + 1e-12, 1 + 1e-9, 1.001, 2] },
    make: (size) => multiplyAmount('volume', hasInterval('DAY'), () => size),
  },
  'F182 usd-volume-holds-a-fee': {
    title: 'the volume of pool 3 in USD holds a fee of 1 %',
    breaks: ['candle/pools-share-a-usd-rate'],
    sizes: { unit: 'times', usual: 1.01, scale: [1.003, 1.01, 1.03] },
    make: (size) => multiplyAmount('volumeUsd', everywhere, ({ poolId }) => (poolId === 3 ? size : 1)),
  },
  'F185 liquidity-at-the-newest-rate': {
    title: 'liquidity in USD has the rate of the newest row of its answer',
    breaks: ['candle/liquidity-has-the-rate-of-its-time'],
    make: () => ({
      rows: (rows) => {
        const newest = rows.at(-1);
        const rate = Number(newest?.liquidityUsd) / Number(newest?.liquidity);
        return rate > 0
          ? rows.map((row) => ({ ...row, liquidityUsd: formatUsdAmount(rate * Number(row.liquidity)) }))
          : rows;
      },
    }),
  },
  'F80 volume-since-birth': {
    title: 'volume is all that was traded since the pool was born',
    breaks: [SUMMED],
    make: () => bendCandles(sumSinceBirth),
  },
  'F81 volume-summed-in-doubles': {
    title: 'volume shows the rounding of a floating-point sum',
    breaks: [SUMMED],
    sizes: { unit: 'times the last bit of a double', usual: 8, scale: [1, 8, 64, 1024] },
    make: (size) => ({
      candle: (candle) => ({
        ...candle,
        volume: roundToBits(candle.volume, candle.startTimestampSeconds % 7 < 3 ? size : -size),
      }),
    }),
  },
  'F82 one-day-inflated': {
    title: 'DAY candles of Wednesdays have a thousand times their volume',
    breaks: [SUMMED],
    sizes: { unit: 'times', usual: 1000, scale: [1.000001, 1.01, 2, 10, 1000] },
    make: (size) =>
      bendAt('candle', hasInterval('DAY'), (candle) => {
        const { volume, volumeUsd, startTimestampSeconds: start } = candle;
        if (Math.floor(start / LENGTH.DAY) % 7 !== WEDNESDAY) return candle;
        return { ...candle, volume: multiplyWhole(volume, size), volumeUsd: multiplyUsd(volumeUsd, size) };
      }),
  },
  'F134 volume-wraps': {
    title: 'volume is kept in 32 bits, and begins anew beyond them',
    breaks: [SUMMED],
    sizes: { unit: 'bits', usual: 32, scale: [53, 48, 44, 40, 36, 32] },
    make: (bits) => bendCandles((candle) => ({ ...candle, volume: wrapToBits(candle.volume, bits) })),
  },
  'F177 open-candle-counts-twice': {
    title: 'the open HOUR, DAY and WEEK candles of histories count their volume twice',
    breaks: ['rollup/open-is-made-of-its-parts'],
    sizes: { unit: 'times', usual: 2, scale: [1.001, 2] },
    make: (size) =>
      multiplyAmount(
        'volume',
        all(isHistory, (requested) => !hasInterval('FIVEMIN')(requested)),
        (candle, requested) => (isOpen(candle, requested) ? size : 1),
      ),
  },
  'F162 every-second-week-in-coins': {
    title: 'the volume of every second WEEK candle is in HBAR instead of tinybars',
    breaks: ['candle/amounts-keep-their-unit'],
    sizes: { unit: 'times too small', usual: 1e8, scale: [1e3, 1e4, 1e6, 1e8] },
    make: (size) =>
      bendCandles((candle, { interval }) =>
        interval === 'WEEK' && Math.floor(candle.start / LENGTH.WEEK) % 2 === 0
          ? { ...candle, volume: candle.volume / BigInt(Math.max(1, Math.round(size))) }
          : candle,
      ),
  },
  'F83 liquidity-is-summed': {
    class: 'liquidity',
    title: 'liquidity is summed over the minutes of the bucket',
    breaks: ['rollup/liquidity-is-of-the-end'],
    make: () =>
      bendCandles((candle) => ({
        ...candle,
        liquidity: candle.liquidity * BigInt(candle.samples),
        liquidityUsdCents: candle.liquidityUsdCents * BigInt(candle.samples),
      })),
  },
  'F84 liquidity-of-the-start': {
    class: 'liquidity',
    title: 'liquidity is that of the first minute of the bucket',
    breaks: ['rollup/liquidity-is-of-the-end'],
    make: () =>
      bendCandles((candle, { source, pool }) => {
        const first = source.at(pool, 'FIVEMIN', candle.start, candle.start);
        if (!first) return candle;
        const { liquidity, liquidityUsdCents } = first;
        return { ...candle, liquidity, liquidityUsdCents };
      }),
  },
  'F85 volume-at-the-last-rate': {
    class: 'usd',
    title: 'volumeUsd is the whole volume at the price of HBAR at the end of the bucket',
    breaks: ['rollup/usd-volume-is-summed'],
    make: () => ({
      candle: (candle) => {
        const rate = Number(candle.liquidityUsd) / Number(candle.liquidity);
        return rate > 0 ? { ...candle, volumeUsd: formatUsdAmount(Number(candle.volume) * rate) } : candle;
      },
    }),
  },
});

function sumSinceBirth(candle: DatedCandle, { source, pool, interval, now }: CandlePlace): DatedCandle {
  const day = bucketStart(candle.start, 'DAY', 0);
  const hour = bucketStart(candle.start, 'HOUR', 0);
  const upTo = (part: Interval, first: number, end: number): bigint =>
    sum(source, { pool, part, first, last: end - LENGTH[part], now });
  const before = upTo('DAY', 0, day) + upTo('HOUR', day, hour) + upTo('FIVEMIN', hour, candle.start);
  const isWeek = interval === 'WEEK';
  return { ...candle, volume: candle.volume + (isWeek ? upTo('DAY', 0, candle.start) : before) };
}

type Span = { pool: number; part: Interval; first: number; last: number; now: number };

function sum(source: CandleSource, { pool, part, first, last, now }: Span): bigint {
  return source
    .closedCandles(pool, part, first, last, now)
    .reduce((total, candle) => total + candle.volume, 0n);
}

function roundToBits(volume: string, bits: number): string {
  return volume === '0' ? volume : String(Number(volume) * (1 + bits * Number.EPSILON));
}

function wrapToBits(volume: bigint, bits: number): bigint {
  return BigInt.asUintN(Math.max(1, Math.round(bits)), volume);
}
