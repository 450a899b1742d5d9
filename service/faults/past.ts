import type { CandleRecord } from '../api/records.ts';
import { bucketStart } from '../market/interval.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import { eachCandle } from './bending/bent-candles.ts';
import type { Fault } from './fault.ts';

const MINUTE = 60_000;

export const pastFaults: readonly Fault[] = [
  {
    id: 'prices-are-recomputed',
    number: 'F87',
    class: 'closed',
    title: 'with each minute, closed candles are recomputed a ten-thousandth off',
    breaks: ['history/closed-candles-stay'],
    shows: 'two checks',
    sizes: { unit: 'millionths', usual: 100, scale: [0.001, 1, 100, 10_000] },
    make: (size) => ({
      candle: (candle, { now }) => repriced(candle, 1 + size * 1e-6 * (Math.floor(now / MINUTE) % 60)),
    }),
  },
  {
    id: 'upside-down-before-a-migration',
    number: 'F130',
    class: 'closed',
    title: 'candles that began more than six days before today tell their prices the other way round',
    breaks: ['rollup/close-is-the-last'],
    shows: 'one check',
    sizes: { unit: 'days', usual: 6, scale: [30, 20, 10, 6] },
    make: (days) => {
      let migrated: number | undefined;
      return eachCandle((candle, { now }) => {
        migrated ??= bucketStart(now - days * 86_400, 'DAY', 0);
        return candle.start < migrated ? turnedRound(candle) : candle;
      });
    },
  },
  {
    id: 'history-lags',
    number: 'F135',
    class: 'closed',
    title: 'histories are brought up to date fifteen minutes late',
    breaks: ['history/complete'],
    shows: 'one check',
    sizes: { unit: 'seconds', usual: 900, scale: [60, 120, 300, 600, 900, 3600] },
    make: (seconds) => ({
      asOf: (now, { operation }) => (operation === 'listV2PoolCandles' ? now - seconds * 1000 : now),
    }),
  },
];

function repriced(candle: CandleRecord, by: number): CandleRecord {
  const { open, high, low, close, avg } = candle;
  return { ...candle, open: open * by, high: high * by, low: low * by, close: close * by, avg: avg * by };
}

function turnedRound(candle: DatedCandle): DatedCandle {
  const { open, high, low, close, priceSum, inverseSum } = candle;
  const prices = { open: 1 / open, high: 1 / low, low: 1 / high, close: 1 / close };
  return { ...candle, ...prices, priceSum: inverseSum, inverseSum: priceSum };
}
