import { amountText, type Candle, hasSoundAverage, isAverageWithin } from '../../reading/candle.ts';
import { type Precision, roundingShare } from '../../reading/precision.ts';

/** A candle's prices, whatever their source. NaN compares false. */
export type Prices = Pick<Candle, 'open' | 'high' | 'low' | 'close'>;

/** Returns the minimum that the high must have, where it is lower; `share` is the price's rounding. */
export function expectedHigh(prices: Prices, share = 0): string | undefined {
  const { open, high, low, close } = prices;
  const highest = Math.max(open, low, close);
  return isAbove(highest, high, share) ? `at least ${highest}` : undefined;
}

/** Returns the maximum that the low may have, where it is higher. */
export function expectedLow(prices: Prices, share = 0): string | undefined {
  const { open, high, low, close } = prices;
  const lowest = Math.min(open, high, close);
  return isAbove(low, lowest, share) ? `at most ${lowest}` : undefined;
}

function isAbove(a: number, b: number, share: number): boolean {
  return a > b + share * Math.abs(b);
}

/** Returns the first price that is zero or below. A search by name would slow down millions of rows. */
export function priceNotPositive({ open, high, low, close }: Prices): keyof Prices | undefined {
  if (open <= 0) return 'open';
  if (high <= 0) return 'high';
  if (low <= 0) return 'low';
  return close <= 0 ? 'close' : undefined;
}

/** Tells whether a mean of 0 stands beside a volume of 0: nothing was traded, so that there is nothing to average. */
export function isOfNothing(candle: Candle, mean: number): boolean {
  return mean === 0 && Number(amountText(candle, 'volume')) === 0;
}

/** Tells whether the average lies outside the candle by more than its digits explain. */
export function hasImpossibleAverage(
  candle: Pick<Candle, 'low' | 'avg' | 'high'>,
  precision?: Precision,
): boolean {
  const { low, avg, high } = candle;
  if (hasSoundAverage(candle) || Number.isNaN(low + avg + high) || low > high) return false;
  // However few its digits are, rounding leaves no average of prices at nothing.
  return (avg <= 0 && low > 0) || !isAverageWithin(candle, roundingShare(avg, precision));
}
