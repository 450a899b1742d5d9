import type { Distortion } from '../api/distortion.ts';
import type { CandleRecord } from '../api/records.ts';
import { bendCandles } from './bending/bent-candles.ts';
import { declareFaults } from './fault.ts';

export const extremeFaults = declareFaults('OHLC', {
  'F25 swapped-extremes': {
    title: 'high and low are swapped',
    breaks: ['candle/high-is-highest', 'candle/low-is-lowest'],
    make: () => ({ candle: extremesSwapped }),
  },
  'F160 swapped-under-load': {
    title: 'high and low are swapped in the second in which more than a hundred requests come',
    shows: 'many samples',
    reason: 'A check sends its requests one after the other; a load run finds it, and from which rate on.',
    sizes: {
      unit: 'requests a second that are still answered right',
      usual: 100,
      scale: [1000, 300, 100, 30, 10],
    },
    make: swapAbove,
  },
  'F26 high-without-the-open': {
    title: 'high leaves the first price out, and so may be below open',
    breaks: ['candle/high-is-highest'],
    make: () => ({
      candle: (candle) => {
        const later = Math.max(candle.close, candle.avg);
        return candle.high === candle.open && later < candle.open ? { ...candle, high: later } : candle;
      },
    }),
  },
  'F27 quantiles-for-extremes': {
    title: 'high and low are five percent of their distance away from the extremes',
    breaks: ['candle/high-is-highest', 'candle/low-is-lowest'],
    sizes: { unit: 'percent of the distance', usual: 5, scale: [1e-8, 0.001, 0.1, 1, 5, 25] },
    make: (percent) => ({ candle: (candle) => narrowRange(candle, percent / 100) }),
  },
  'F28 open-of-the-row-before': {
    title: 'open is the close of the row before, which high and low do not take in',
    breaks: ['candle/high-is-highest', 'candle/low-is-lowest'],
    alters: ['candle/shared-boundaries'],
    make: () => ({
      rows: (rows) => rows.map((row, index) => ({ ...row, open: rows[index - 1]?.close ?? row.open })),
    }),
  },
  'F29 close-of-the-next-row': {
    title: 'close is the first price of the next row, which high and low do not take in',
    breaks: ['candle/high-is-highest', 'candle/low-is-lowest'],
    alters: ['candle/shared-boundaries'],
    make: () => ({
      rows: (rows) => rows.map((row, index) => ({ ...row, close: rows[index + 1]?.open ?? row.close })),
    }),
  },
  'F30 close-stays-at-open': {
    title: 'as long as a candle is open, its close stays at its open',
    breaks: ['latest/intervals-agree'],
    make: () => bendCandles((candle) => (candle.closed ? candle : { ...candle, close: candle.open })),
  },
});

/** The record with high in the place of low. */
export function extremesSwapped(candle: CandleRecord): CandleRecord {
  return { ...candle, high: candle.low, low: candle.high };
}

function narrowRange(candle: CandleRecord, share: number): CandleRecord {
  const cut = (candle.high - candle.low) * Math.min(share, 0.5);
  return { ...candle, high: candle.high - cut, low: candle.low + cut };
}

function swapAbove(most: number): Distortion {
  let [second, requests] = [0, 0];
  return {
    request: (request, { now }) => {
      const current = Math.floor(now / 1000);
      requests = current === second ? requests + 1 : 1;
      second = current;
      return request;
    },
    candle: (candle) => (requests > most ? extremesSwapped(candle) : candle),
  };
}
