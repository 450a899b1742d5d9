import { type Candle, hasSoundAverage, isAverageWithin } from '../../reading/candle.ts';
import { type Precision, roundingShare } from '../../reading/precision.ts';

/** What the rules of one candle's prices look at, wherever the candle comes from. NaN compares false. */
export type Prices = Pick<Candle, 'open' | 'high' | 'low' | 'close'>;

/** The least that its high may be, where it is lower; `share` is what rounding may move a price by. */
export function expectedHigh(prices: Prices, share = 0): string | undefined {
  const { open, high, low, close } = prices;
  const highest = Math.max(open, low, close);
  return isAbove(highest, high, share) ? `at least ${highest}` : undefined;
}

/** The most that its low may be, where it is higher. */
export function expectedLow(prices: Prices, share = 0): string | undefined {
  const { open, high, low, close } = prices;
  const lowest = Math.min(open, high, close);
  return isAbove(low, lowest, share) ? `at most ${lowest}` : undefined;
}

function isAbove(a: number, b: number, share: number): boolean {
  return a > b + share * Math.abs(b);
}

/** The first price that is none: zero or below it. A search by name would cost each of millions of rows. */
export function priceNotPositive({ open, high, low, close }: Prices): keyof Prices | undefined {
  if (open <= 0) return 'open';
  if (high <= 0) return 'high';
  if (low <= 0) return 'low';
  return close <= 0 ? 'close' : undefined;
}

/** The average lies outside of the candle, further than the digits that it is reported in explain. */
export function hasImpossibleAverage(
  candle: Pick<Candle, 'low' | 'avg' | 'high'>,
  precision?: Precision,
): boolean {
  const { low, avg, high } = candle;
  if (hasSoundAverage(candle) || Number.isNaN(low + avg + high) || low > high) return false;
  // However few its digits are, no rounding leaves nothing of an average of prices.
  return (avg <= 0 && low > 0) || !isAverageWithin(candle, roundingShare(avg, precision));
}
