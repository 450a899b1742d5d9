import type { CandleSource, RequestContext } from '../api/distortion.ts';
import type { CandleRecord } from '../api/records.ts';
import { bucketStart, type Interval, LENGTH } from '../market/candle.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import {
  bendCandles,
  type CandlePlace,
  formatUsdAmount,
  multiplyUsd,
  multiplyWhole,
} from './bending/bent-candles.ts';
import { declareFaults } from './fault.ts';

const SUMMED = 'rollup/volume-is-summed';
const WEDNESDAY = 6;

export const volumeFaults = declareFaults('volume', [
  {
    id: 'daily-volume-twice',
    number: 'F79',
    title: 'DAY candles count the volume of both legs',
    breaks: [SUMMED],
    sizes: { unit: 'times', usual: 2, scale: [1 + 1e-12, 1 + 1e-9, 1.001, 2] },
    make: (size) => ({
      candle: (candle, { poolQuery }) =>
        poolQuery?.interval === 'DAY' ? { ...candle, volume: multiplyWhole(candle.volume, size) } : candle,
    }),
  },
  {
    id: 'usd-volume-holds-a-fee',
    number: 'F182',
    title: 'the volume of pool 3 in USD holds a fee of 1 %',
    breaks: ['candle/pools-share-a-usd-rate'],
    sizes: { unit: 'times', usual: 1.01, scale: [1.003, 1.01, 1.03] },
    make: (size) => ({
      candle: (candle) =>
        candle.poolId === 3 ? { ...candle, volumeUsd: multiplyUsd(candle.volumeUsd, size) } : candle,
    }),
  },
  {
    id: 'liquidity-at-the-newest-rate',
    number: 'F185',
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
  {
    id: 'volume-since-birth',
    number: 'F80',
    title: 'volume is all that was traded since the pool was born',
    breaks: [SUMMED],
    make: () => bendCandles(sumSinceBirth),
  },
  {
    id: 'volume-summed-in-doubles',
    number: 'F81',
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
  {
    id: 'one-day-inflated',
    number: 'F82',
    title: 'DAY candles of Wednesdays have a thousand times their volume',
    breaks: [SUMMED],
    sizes: { unit: 'times', usual: 1000, scale: [1.000001, 1.01, 2, 10, 1000] },
    make: (size) => ({
      candle: (candle, { poolQuery }) => {
        const day = Math.floor(candle.startTimestampSeconds / LENGTH.DAY) % 7;
        if (poolQuery?.interval !== 'DAY' || day !== WEDNESDAY) return candle;
        const { volume, volumeUsd } = candle;
        return { ...candle, volume: multiplyWhole(volume, size), volumeUsd: multiplyUsd(volumeUsd, size) };
      },
    }),
  },
  {
    id: 'volume-wraps',
    number: 'F134',
    title: 'volume is kept in 32 bits, and begins anew beyond them',
    breaks: [SUMMED],
    sizes: { unit: 'bits', usual: 32, scale: [53, 48, 44, 40, 36, 32] },
    make: (bits) => bendCandles((candle) => ({ ...candle, volume: wrapToBits(candle.volume, bits) })),
  },
  {
    id: 'open-candle-counts-twice',
    number: 'F177',
    title: 'the open HOUR, DAY and WEEK candles of histories count their volume twice',
    breaks: ['rollup/open-is-made-of-its-parts'],
    sizes: { unit: 'times', usual: 2, scale: [1.001, 2] },
    make: (size) => ({
      candle: (candle, requested) =>
        isOpenHistory(candle, requested) ? { ...candle, volume: multiplyWhole(candle.volume, size) } : candle,
    }),
  },
  {
    id: 'every-second-week-in-coins',
    number: 'F162',
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
  {
    id: 'liquidity-is-summed',
    number: 'F83',
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
  {
    id: 'liquidity-of-the-start',
    number: 'F84',
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
  {
    id: 'volume-at-the-last-rate',
    number: 'F85',
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
]);

function isOpenHistory(
  { startTimestampSeconds, timestampSeconds }: CandleRecord,
  { poolQuery, operation }: RequestContext,
): boolean {
  const interval = poolQuery?.interval ?? 'FIVEMIN';
  const isOpen = timestampSeconds < startTimestampSeconds + LENGTH[interval];
  return operation === 'listV2PoolCandles' && interval !== 'FIVEMIN' && isOpen;
}

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
