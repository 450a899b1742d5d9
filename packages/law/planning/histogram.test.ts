import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import {
  buildHistogram,
  countSamples,
  findValue,
  mergeAll,
  percentile,
  percentileRank,
} from './histogram.ts';

const value = fc.oneof(
  fc.nat(300),
  fc.nat(),
  fc.maxSafeNat(),
  fc.integer({ min: 0, max: 52 }).map((power) => 2 ** power),
);

const samples = fc.array(value, { maxLength: 200 });

test('a percentile is within one percent of the exact one', () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 200 }), p, (all, q) => {
      const exact = all.toSorted((a, b) => a - b)[percentileRank(q, all.length) - 1] ?? Number.NaN;
      const read = percentile(buildHistogram(all), q) ?? Number.NaN;
      expect(Math.abs(read - exact)).toBeLessThanOrEqual(exact * 0.008);
      if (exact < 128) expect(read).toBe(exact);
    }),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 1000 : 100 },
  );
});

test('histograms of parts make that of the whole, in any order, byte for byte', () => {
  fc.assert(
    fc.property(samples, samples, samples, (a, b, c) => {
      const [x, y, z] = [buildHistogram(a), buildHistogram(b), buildHistogram(c)];
      const whole = JSON.stringify(buildHistogram([...a, ...b, ...c]));
      expect(JSON.stringify(mergeAll([mergeAll([x, y]), z]))).toBe(whole);
      expect(JSON.stringify(mergeAll([x, mergeAll([y, z])]))).toBe(whole);
      expect(JSON.stringify(mergeAll([z, mergeAll([y, x])]))).toBe(whole);
      expect(JSON.stringify(mergeAll([x, {}]))).toBe(JSON.stringify(x));
    }),
  );
});

test('nothing but the buckets is lost over JSON', () => {
  fc.assert(
    fc.property(samples, (all) => {
      const kept = JSON.parse(JSON.stringify(buildHistogram(all)));
      expect(kept).toEqual(buildHistogram(all));
      expect(countSamples(kept)).toBe(all.length);
    }),
  );
});

test('no samples have no percentile, and no rank lies beyond the last', () => {
  expect(percentile({}, 0.5)).toBeUndefined();
  expect(findValue(buildHistogram([7]), 2)).toBeUndefined();
});

test('values that no clock measures are refused', () => {
  for (const value of [-1, Number.NaN, Infinity]) expect(() => buildHistogram([value])).toThrow(RangeError);
});
