import { binomial, usualConfidence } from './confidence.ts';

/** Ranks among samples in ascending order, the first is 1; undefined where the sample is too small to bound that side. */
export type Ranks = { readonly lower: number | undefined; readonly upper: number | undefined };

/** Products such as 0.07 × 100 exceed the whole number that they stand for. */
const rounding = 1e-9;

/** Rank of a percentile (`p` a fraction, 0.99 for p99) of `n` samples: the smallest that at least p·n do not exceed. */
export function percentileRank(p: number, n: number): number {
  return Math.min(n, Math.max(1, Math.ceil(p * n - rounding)));
}

/**
 * The ranks between which the true percentile lies, whatever the distribution: values at them are its confidence
 * interval. Independence of the samples is assumed.
 */
export function rankInterval(p: number, n: number, confidence = usualConfidence): Ranks {
  const tail = (1 - confidence) / 2;
  const { first, mass } = binomial(n, p);
  let [lower, upper]: [number, number] = [first, n + 1];
  let below = 0;
  for (const [index, share] of mass.entries()) {
    below += share;
    if (below <= tail) lower = first + index + 1;
    if (below < 1 - tail) continue;
    upper = first + index + 1;
    break;
  }
  return { lower: lower >= 1 ? lower : undefined, upper: upper <= n ? upper : undefined };
}

/** Fewest samples of which one is expected beyond the percentile: with less it is only the extreme one's other name. */
export function fewestSamples(p: number): number {
  return Math.ceil(1 / Math.min(p, 1 - p) - rounding);
}
