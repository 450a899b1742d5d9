import type { CandleSource } from '../api/distortion.ts';
import { bucketStart, type Interval, LENGTH } from '../market/candle.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import { bendCandles, type CandlePlace, rebucket } from './bending/bent-candles.ts';
import { shiftTimes } from './bending/bent-values.ts';
import { bendAt, intervalLength, isLatest } from './bending/places.ts';
import { declareFaults } from './fault.ts';

const MINUTE = 60;

export const bucketFaults = declareFaults('bucket', {
  'F36 labelled-one-bucket-late': {
    title: 'every candle is stamped as the one after it',
    breaks: ['candle/is-not-from-the-future', 'rollup/open-is-the-first'],
    sizes: { unit: 'intervals', usual: 1, scale: [1, 2] },
    make: (size) => ({
      candle: (candle, requested) => shiftTimes(candle, size * intervalLength(requested)),
    }),
  },
  'F37 boundary-price-in-the-hour-before': {
    title: 'the price at the full hour closes the HOUR candle before, and does not open its own',
    breaks: ['rollup/open-is-the-first', 'rollup/close-is-the-last'],
    make: () =>
      bendCandles((candle, place) =>
        place.interval === 'HOUR' && candle.closed ? minuteLater(candle, place) : candle,
      ),
  },
  'F38 buckets-from-the-range': {
    title: 'the buckets of a history are counted from the range that is requested',
    breaks: ['history/aligned', 'history/split-loses-nothing'],
    make: () => ({
      candles: (source, { poolQuery }) =>
        poolQuery?.from === undefined ? source : countBucketsFrom(source, poolQuery.interval, poolQuery.from),
    }),
  },
  'F39 days-of-a-local-zone': {
    title: 'DAY candles begin at 04:00 UTC, the midnight of another zone',
    breaks: ['history/starts-nest'],
    alters: ['candle/phase'],
    sizes: { unit: 'hours after midnight UTC', usual: 4, scale: [1, 4, 12] },
    make: (hours) => ({
      candles: (source) => {
        const phase = Math.round(hours) * LENGTH.HOUR;
        const of = (t: number): number => bucketStart(t - phase, 'DAY', 0) + phase;
        return rebucket(source, { interval: 'DAY', parts: 'HOUR', of });
      },
    }),
  },
  'F40 two-beginnings-of-the-week': {
    title: 'weeks of V1 pools begin three days later than those of V2 pools',
    breaks: ['history/aligned'],
    sizes: { unit: 'days', usual: 3, scale: [1, 3] },
    make: (days) => bendAt('candles', isLatest, (source) => weeksLater(source, Math.round(days))),
  },
});

/** The hour from one minute after its start to its end, both included. */
function minuteLater(candle: DatedCandle, { source, pool, now }: CandlePlace): DatedCandle {
  const begin = source.at(pool, 'FIVEMIN', candle.start, candle.start + MINUTE);
  const next = candle.start + LENGTH.HOUR;
  const end = next <= now ? source.at(pool, 'FIVEMIN', next, next) : undefined;
  const [open, close] = [begin?.close ?? candle.open, end?.open ?? candle.close];
  return { ...candle, open, close, high: Math.max(candle.high, close), low: Math.min(candle.low, close) };
}

function countBucketsFrom(source: CandleSource, interval: Interval, from: number): CandleSource {
  if (interval === 'FIVEMIN') return source;
  const length = LENGTH[interval];
  const phase = bucketStart(from, 'FIVEMIN', 0) % length;
  const of = (t: number): number => Math.floor((t - phase) / length) * length + phase;
  return rebucket(source, { interval, parts: 'FIVEMIN', of });
}

function weeksLater(source: CandleSource, days: number): CandleSource {
  return {
    at: (...wanted) => source.at(...wanted),
    closedCandles: (...wanted) => source.closedCandles(...wanted),
    latest: (pool, interval, weekAnchor, now) =>
      source.latest(pool, interval, weekAnchor + days * LENGTH.DAY, now),
  };
}
