import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { probesToProve, provenObjective, wilson } from './confidence.ts';

const sample = fc
  .integer({ min: 1, max: 5000 })
  .chain((total) => fc.record({ total: fc.constant(total), good: fc.integer({ min: 0, max: total }) }));
const confidence = fc.double({ min: 0.5, max: 0.999, noNaN: true });

test('Wilson’s interval of a published example comes out', () => {
  const { low, high } = wilson(81, 263);
  expect(low).toBeCloseTo(0.2553, 4);
  expect(high).toBeCloseTo(0.3662, 4);
});

test('no probe says nothing, and all good ones leave room below', () => {
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  expect(wilson(10, 10).high).toBe(1);
  expect(wilson(10, 10).low).toBeCloseTo(0.7225, 4);
});

test('Wilson’s interval holds what was seen and mirrors its opposite', () => {
  fc.assert(
    fc.property(sample, confidence, ({ good, total }, sure) => {
      const { low, high } = wilson(good, total, sure);
      expect(low).toBeLessThanOrEqual(good / total);
      expect(high).toBeGreaterThanOrEqual(good / total);
      const bad = wilson(total - good, total, sure);
      expect(bad.low).toBeCloseTo(1 - high, 12);
    }),
  );
});

test('both ends of Wilson’s interval lie z deviations from what was seen', () => {
  fc.assert(
    fc.property(sample, ({ good, total }) => {
      fc.pre(good > 0 && good < total);
      for (const p of Object.values(wilson(good, total))) {
        const deviations = Math.abs(good / total - p) / Math.sqrt((p * (1 - p)) / total);
        expect(deviations).toBeCloseTo(1.959963984540054, 6);
      }
    }),
  );
});

test('the famous numbers of good probes prove their objectives', () => {
  expect([0.9, 0.95, 0.99, 0.995, 0.999, 0.9999].map((each) => probesToProve(each))).toEqual([
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
