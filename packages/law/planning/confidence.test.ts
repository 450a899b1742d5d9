import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import {
  binomial,
  normalQuantile,
  probesToProve,
  provenObjective,
  tailProbability,
  wilsonInterval,
} from './confidence.ts';

const sample = fc
  .integer({ min: 1, max: 5000 })
  .chain((total) => fc.record({ total: fc.constant(total), good: fc.integer({ min: 0, max: total }) }));
const confidence = fc.double({ min: 0.5, max: 0.999, noNaN: true });

test('Wilson’s interval of a published example comes out', () => {
  const { low, high } = wilsonInterval(81, 263);
  expect(low).toBeCloseTo(0.2553, 4);
  expect(high).toBeCloseTo(0.3662, 4);
});

test('no probe says nothing, and all good ones leave room below', () => {
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  expect(wilsonInterval(10, 10).high).toBe(1);
  expect(wilsonInterval(10, 10).low).toBeCloseTo(0.7225, 4);
});

test('Wilson’s interval holds what was seen and mirrors its opposite', () => {
  fc.assert(
    fc.property(sample, confidence, ({ good, total }, sure) => {
      const { low, high } = wilsonInterval(good, total, sure);
      expect(low).toBeLessThanOrEqual(good / total);
      expect(high).toBeGreaterThanOrEqual(good / total);
      const bad = wilsonInterval(total - good, total, sure);
      expect(bad.low).toBeCloseTo(1 - high, 12);
    }),
  );
});

test('both ends of Wilson’s interval lie z deviations from what was seen', () => {
  fc.assert(
    fc.property(sample, ({ good, total }) => {
      fc.pre(good > 0 && good < total);
      for (const p of Object.values(wilsonInterval(good, total))) {
        const deviations = Math.abs(good / total - p) / Math.sqrt((p * (1 - p)) / total);
        expect(deviations).toBeCloseTo(1.959963984540054, 6);
      }
    }),
  );
});

test('the famous numbers of good probes prove their objectives', () => {
  expect([0.9, 0.95, 0.99, 0.995, 0.999, 0.9999].map((objective) => probesToProve(objective))).toEqual([
    29, 59, 299, 598, 2995, 29_956,
  ]);
  expect(probesToProve(1)).toBe(Infinity);
  expect(probesToProve(0.99, 0.99)).toBe(459);
});

test('the fewest good probes prove their objective and one less does not', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 0.9999, noNaN: true }), confidence, (objective, sure) => {
      const n = probesToProve(objective, sure);
      expect(provenObjective(n, n, sure)).toBeGreaterThanOrEqual(objective - 1e-12);
      expect(provenObjective(n - 1, n - 1, sure)).toBeLessThan(objective);
    }),
  );
});

test('a failure costs about 175 more good probes at 99 percent', () => {
  expect(provenObjective(472, 473)).toBeGreaterThanOrEqual(0.99);
  expect(provenObjective(471, 472)).toBeLessThan(0.99);
});

test('a good probe never lowers what is proven and a bad one never raises it', () => {
  fc.assert(
    fc.property(sample, confidence, ({ good, total }, sure) => {
      const proven = provenObjective(good, total, sure);
      expect(proven).toBeLessThanOrEqual(good / total);
      expect(provenObjective(good + 1, total + 1, sure)).toBeGreaterThanOrEqual(proven - 1e-12);
      expect(provenObjective(good, total + 1, sure)).toBeLessThanOrEqual(proven + 1e-12);
    }),
  );
});

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
  const mean = mass.reduce((sum, weight, index) => sum + weight * (first + index), 0);
  const variance = mass.reduce((sum, weight, index) => sum + weight * (first + index - mean) ** 2, 0);
  expect(mean).toBeCloseTo(n * p, 4);
  expect(variance / (n * p * (1 - p))).toBeCloseTo(1, 8);
});

test('at least none is certain and more than all impossible', () => {
  fc.assert(
    fc.property(trials, chance, (n, p) => {
      expect(tailProbability(binomial(n, p), 0)).toBeCloseTo(1, 12);
      expect(tailProbability(binomial(n, p), n + 1)).toBe(0);
    }),
  );
});

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
