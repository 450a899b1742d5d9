import type { DrawnCandle } from '@candleproof/law/rules/breach';
import { readPrice } from '../candles/panels.ts';

const hour = 3600;

/** 2025-11-12 00:00 UTC. */
export const midnight = 1_762_905_600;

/** Returns hourly candles of a price that varies like a market's, the same for every call. */
export function hourly(count: number, from: number = midnight): DrawnCandle[] {
  return Array.from({ length: count }, (_, index) => {
    const [open, close] = [samplePrice(index), samplePrice(index + 1)];
    const high = Math.max(open, close) * (1 + 0.0006 * (1 + (index % 3)));
    const low = Math.min(open, close) * (1 - 0.0005 * (1 + (index % 4)));
    const start = from + index * hour;
    return { start, end: start + hour, open, high, low, close, avg: (open + close) / 2, offending: false };
  });
}

function samplePrice(step: number): number {
  return Number((0.048 * (1 + 0.004 * Math.sin(step / 3) + 0.002 * Math.sin(1.7 * step))).toFixed(7));
}

/** Returns the candles with changed values at `index`, marked as the one in question. */
export function withOffender(
  candles: readonly DrawnCandle[],
  index: number,
  change: Partial<DrawnCandle>,
): DrawnCandle[] {
  return candles.map((candle, at) => (at === index ? { ...candle, ...change, offending: true } : candle));
}

/** Returns the day made up of these hours, with a high above all of theirs. */
export function joinDay(hours: readonly DrawnCandle[]): DrawnCandle {
  const [first] = hours;
  const highest = Math.max(...hours.map((drawnCandle) => drawnCandle.high));
  return {
    start: midnight,
    end: midnight + 24 * hour,
    open: first?.open ?? 0,
    close: hours.at(-1)?.close ?? 0,
    high: highest * 1.004,
    low: Math.min(...hours.map((drawnCandle) => drawnCandle.low)),
    avg: hours.reduce((total, hour) => total + readPrice(hour, 'avg'), 0) / hours.length,
    offending: true,
  };
}

/** Returns the candle of the inverted market. */
export function inverse({ open, high, low, close, avg = Number.NaN, ...times }: DrawnCandle): DrawnCandle {
  return { ...times, open: 1 / open, high: 1 / low, low: 1 / high, close: 1 / close, avg: 1 / avg };
}
