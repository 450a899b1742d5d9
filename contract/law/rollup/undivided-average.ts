import { minute } from '../../document/interval.ts';
import type { Candle } from '../../reading/candle.ts';
import { arithmetic } from '../../reading/tolerances.ts';

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
 * Names an average outside its range. A live service published close × elapsed seconds: a time-weighted sum that nobody
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
