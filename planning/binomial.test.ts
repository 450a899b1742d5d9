import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { atLeast, binomial } from './confidence.ts';

const trials = fc.integer({ min: 1, max: 60 });
const chance = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });

test('every count has the probability of the textbook', () => {
  fc.assert(
    fc.property(trials, chance, (n, p) => {
      const { first, mass } = binomial(n, p);
      let [choose, error] = [1, 0];
      for (let k = 0; k <= n; k++) {
        error = Math.max(error, Math.abs((mass[k - first] ?? 0) - choose * p ** k * (1 - p) ** (n - k)));
        choose *= (n - k) / (k + 1);
      }
      expect(error).toBeLessThan(1e-12);
    }),
  );
});

test('a million trials keep their mean and their spread', () => {
  const [n, p] = [1_200_000, 0.99];
  const { first, mass } = binomial(n, p);
  const mean = mass.reduce((sum, each, index) => sum + each * (first + index), 0);
  const variance = mass.reduce((sum, each, index) => sum + each * (first + index - mean) ** 2, 0);
  expect(mean).toBeCloseTo(n * p, 4);
  expect(variance / (n * p * (1 - p))).toBeCloseTo(1, 8);
});

test('at least none is certain and more than all impossible', () => {
  fc.assert(
    fc.property(trials, chance, (n, p) => {
      expect(atLeast(binomial(n, p), 0)).toBeCloseTo(1, 12);
      expect(atLeast(binomial(n, p), n + 1)).toBe(0);
    }),
  );
});
