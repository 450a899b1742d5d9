import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { minSamples, percentileRank, rankInterval } from './histogram.ts';

test('the median of ten lies between the second and the ninth', () => {
  expect(rankInterval(0.5, 10)).toEqual({ lower: 2, upper: 9 });
  expect(rankInterval(0.5, 100)).toEqual({ lower: 40, upper: 61 });
});

test('five samples bound no median, and 367 no p99 from above', () => {
  expect(rankInterval(0.5, 5)).toEqual({ lower: undefined, upper: undefined });
  expect(rankInterval(0.99, 367).upper).toBeUndefined();
  expect(rankInterval(0.99, 368).upper).toBe(368);
});

test('the ranks hold the percentile as often as promised, and no closer ones do', () => {
  const p = fc.double({ min: 0.01, max: 0.99, noNaN: true });
  fc.assert(
    fc.property(
      p,
      fc.integer({ min: 1, max: 80 }),
      fc.double({ min: 0.5, max: 0.99, noNaN: true }),
      (q, n, sure) => {
        const { lower, upper } = rankInterval(q, n, sure);
        const tail = (1 - sure) / 2;
        const atMost = (k: number): number => sumOf(n, q, 0, k);
        if (lower !== undefined) expect(atMost(lower - 1)).toBeLessThanOrEqual(tail + 1e-9);
        expect(atMost(lower ?? 0)).toBeGreaterThan(tail - 1e-9);
        if (upper !== undefined) expect(1 - atMost(upper - 1)).toBeLessThanOrEqual(tail + 1e-9);
        expect(1 - atMost((upper ?? n + 1) - 2)).toBeGreaterThan(tail - 1e-9);
      },
    ),
  );
});

/** Returns the probability of `from` to `to` successes, term by term. */
function sumOf(n: number, p: number, from: number, to: number): number {
  let [sum, choose] = [0, 1];
  for (let k = 0; k <= Math.min(n, to); k++) {
    if (k >= from) sum += choose * p ** k * (1 - p) ** (n - k);
    choose *= (n - k) / (k + 1);
  }
  return sum;
}

test('a percentile is the smallest sample that enough others do not exceed', () => {
  expect([0.5, 0.99, 1].map((p) => percentileRank(p, 100))).toEqual([50, 99, 100]);
  expect(percentileRank(0.07, 100)).toBe(7);
  expect(percentileRank(0, 3)).toBe(1);
  expect(percentileRank(0.5, 3)).toBe(2);
});

test('a percentile needs one sample beyond it to mean anything', () => {
  expect([0.5, 0.9, 0.95, 0.99, 0.999, 0.01].map(minSamples)).toEqual([2, 10, 20, 100, 1000, 100]);
});
