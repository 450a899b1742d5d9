import { expect, test } from '@playwright/test';
import { normalQuantile } from './confidence.ts';

test('the quantiles of the tables come out', () => {
  for (const [p, z] of [
    [0.5, 0],
    [0.8413447460685429, 1],
    [0.95, 1.6448536269514722],
    [0.975, 1.959963984540054],
    [0.995, 2.5758293035489004],
    [0.9999, 3.719016485455709],
  ] as const) {
    expect(normalQuantile(p)).toBeCloseTo(z, 12);
    expect(normalQuantile(1 - p)).toBeCloseTo(-z, 11);
  }
});

test('what is no probability is refused', () => {
  for (const p of [0, 1, -1, Number.NaN]) expect(() => normalQuantile(p)).toThrow(RangeError);
});
