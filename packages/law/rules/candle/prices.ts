import { minute } from '@candleproof/document/spec/interval';
import { amountText, type Candle, hasSoundAverage, isAverageWithin } from '../../reading/candle.ts';
import { oncePer } from '../../reading/once.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import { median } from '../../reading/statistics.ts';
import { arithmetic, type Precision, roundingShare } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { isInverted, poolKey } from '../../relations/series.ts';

/** A candle's prices, whatever their source. NaN compares false. */
export type Prices = Pick<Candle, 'open' | 'high' | 'low' | 'close'>;

/** Returns the least allowed high if the high is lower; `share` is the price's rounding. */
export function expectedHigh(prices: Prices, share: number): string | undefined {
  const { open, high, low, close } = prices;
  const highest = Math.max(open, low, close);
  return isAbove(highest, high, share) ? `at least ${highest}` : undefined;
}

/** Returns the greatest allowed low if the low is higher. */
export function expectedLow(prices: Prices, share: number): string | undefined {
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

/** Series whose prices are whole numbers around 1: those of a pool and side, by name. */
const listWholeSeries = oncePer(({ candleAnswers }: Evidence): ReadonlySet<string> => {
  const series = Map.groupBy(candleAnswers, nameSeries);
  return new Set(
    [...series].flatMap(([name, answers]) => {
      const prices = answers.flatMap(({ candles }) =>
        candles.flatMap(({ open, high, low, close }) => [open, high, low, close]),
      );
      return prices.every(Number.isInteger) && median(prices) <= 1 ? [name] : [];
    }),
  );
});

function nameSeries(answer: CandleAnswer): string {
  return `${poolKey(answer)} ${isInverted(answer)}`;
}

/** Returns whether a price of zero may be a small one that was rounded. */
export function isRoundedToWhole(answer: CandleAnswer, evidence: Evidence): boolean {
  return listWholeSeries(evidence).has(nameSeries(answer));
}

/** Returns whether a mean of 0 comes with a volume of 0: nothing was traded, so that there is nothing to average. */
export function isOfNothing(candle: Candle, mean: number): boolean {
  return mean === 0 && Number(amountText(candle, 'volume')) === 0;
}

/** Returns whether the average lies outside the candle by more than its digits explain. */
export function hasImpossibleAverage(
  candle: Pick<Candle, 'low' | 'avg' | 'high'>,
  precision?: Precision,
): boolean {
  const { low, avg, high } = candle;
  if (hasSoundAverage(candle) || Number.isNaN(low + avg + high) || low > high) return false;
  // However few its digits are, rounding leaves no average of prices at nothing.
  return (avg <= 0 && low > 0) || !isAverageWithin(candle, roundingShare(avg, precision));
}

/** Factors by which a sum exceeds a mean: (multiplier in words, its value above 1). */
function multiples({ start, end }: Candle): [string, number][] {
  const elapsed = end - start;
  const all: [string, number][] = [
    ['elapsed seconds', elapsed],
    ['elapsed minutes', elapsed / minute],
    ['observations', elapsed / minute + 1],
  ];
  return all.filter(([, times]) => times > 1);
}

/**
 * Names an average outside its range. A live service published close × elapsed seconds: a time-weighted sum that no one
 * had divided. Naming it helps its operator more than the number.
 */
export function describeAverage(candle: Candle): string {
  const { avg, close, low, high } = candle;
  for (const [words, times] of multiples(candle)) {
    if (Math.abs(avg - close * times) <= arithmetic * Math.abs(avg)) {
      return `${avg}, which is close × ${times} ${words}: a sum that was never divided`;
    }
  }
  for (const [words, times] of multiples(candle)) {
    const divided = avg / times;
    if (divided >= low && divided <= high) {
      return `${avg}, which falls inside when divided by ${times} ${words}: a sum that was never divided`;
    }
  }
  return String(avg);
}
