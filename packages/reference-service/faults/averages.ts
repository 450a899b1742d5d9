import type { CandleRecord } from '../api/records.ts';
import { meanInverse, meanPrice } from '../market/candle.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import { bendCandles, listParts } from './bending/bent-candles.ts';
import { bendAt, hasInterval } from './bending/places.ts';
import { declareFaults } from './fault.ts';

export const averageFaults = declareFaults('avg', {
  'F31 undivided-average': {
    title: 'avg is the sum over time: close times the seconds of the bucket',
    breaks: ['candle/average-is-within-range'],
    sizes: { unit: 'of the way there', usual: 1, scale: [1e-13, 1e-9, 1e-7, 1e-5, 1e-3, 1] },
    make: (size) => ({
      candle: (candle) => ({ ...candle, avg: candle.avg * (1 - size) + sumPrices(candle) * size }),
    }),
  },
  'F32 average-of-four-prices': {
    title: 'avg is the mean of open, high, low and close',
    breaks: ['rollup/average-is-the-mean'],
    make: () => ({ candle: averageOfFour }),
  },
  'F179 week-average-of-four-prices': {
    title: 'avg of WEEK candles is the mean of open, high, low and close',
    breaks: ['rollup/average-is-the-mean'],
    make: () => bendAt('candle', hasInterval('WEEK'), averageOfFour),
  },
  'F33 unweighted-average-of-parts': {
    title: 'avg counts each part of a candle alike, even the one that has just begun',
    breaks: ['rollup/open-average-keeps-its-past'],
    shows: 'moved clock',
    make: () => bendCandles((candle, place) => weighted(candle, listParts(place, candle.start), () => 1)),
  },
  'F34 average-plus-one': {
    title: 'avg is one too high',
    breaks: ['candle/average-is-within-range'],
    sizes: { unit: 'added to avg', usual: 1, scale: [1e-13, 1e-9, 1e-6, 1e-4, 1e-2, 1] },
    make: (size) => ({ candle: (candle) => ({ ...candle, avg: candle.avg + size }) }),
  },
  'F35 average-by-volume': {
    title: 'avg of HOUR, DAY and WEEK is weighted by what was traded',
    breaks: ['rollup/average-is-the-mean'],
    make: () =>
      bendCandles((candle, place) =>
        weighted(candle, listParts(place, candle.start), (part) => Number(part.volume)),
      ),
  },
});

function averageOfFour(candle: CandleRecord): CandleRecord {
  return { ...candle, avg: (candle.open + candle.high + candle.low + candle.close) / 4 };
}

function sumPrices({ close, timestampSeconds, startTimestampSeconds }: CandleRecord): number {
  return close * (timestampSeconds - startTimestampSeconds);
}

/** Returns the candle with the weighted mean of its parts' means; unchanged if all weights are zero. */
function weighted(
  candle: DatedCandle,
  parts: readonly DatedCandle[],
  weight: (part: DatedCandle) => number,
): DatedCandle {
  const whole = parts.reduce((sum, part) => sum + weight(part), 0);
  if (whole === 0) return candle;
  const mean = (of: (part: DatedCandle) => number): number =>
    parts.reduce((sum, part) => sum + of(part) * weight(part), 0) / whole;
  return {
    ...candle,
    priceSum: mean(meanPrice) * candle.samples,
    inverseSum: mean(meanInverse) * candle.samples,
  };
}
