import {
  buildHistogram,
  bucketIndex as fineBucketOf,
  mergeAll,
  percentileRank,
} from '@candleproof/law/planning/histogram';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { bucketCount, bucketStart, computePercentile, findBucket, type LoadHistogram } from './histogram.ts';
import { dice } from './testing/dice.ts';

const microseconds = fc.oneof(fc.nat(300), fc.nat(59_999_999), fc.nat(100_000));

function filled(samples: readonly number[]): LoadHistogram {
  const counts: Record<number, number> = {};
  for (const sample of samples) counts[findBucket(sample)] = (counts[findBucket(sample)] ?? 0) + 1;
  return counts;
}

test('every bucket is a union of eight of the monitors’ buckets', () => {
  fc.assert(
    fc.property(fc.array(microseconds), (samples) => {
      const united: Record<number, number> = {};
      for (const [fine, n] of Object.entries(buildHistogram(samples)))
        united[Math.floor(Number(fine) / 8)] = (united[Math.floor(Number(fine) / 8)] ?? 0) + n;
      expect(filled(samples)).toEqual(united);
    }),
  );
  expect(fineBucketOf(60_000_000) / 8).toBeLessThan(bucketCount);
});

test('histograms of segments add up to that of all samples', () => {
  fc.assert(
    fc.property(fc.array(fc.array(microseconds), { maxLength: 4 }), (parts) => {
      expect(mergeAll(parts.map(filled))).toEqual(filled(parts.flat()));
    }),
  );
});

test('a bucket contains its start and is at most an eighth of it wide', () => {
  for (let bucket = 16; bucket < bucketCount; bucket++) {
    expect(findBucket(bucketStart(bucket))).toBe(bucket);
    expect(findBucket(bucketStart(bucket) - 1)).toBe(bucket - 1);
    expect(bucketStart(bucket + 1) - bucketStart(bucket)).toBeLessThanOrEqual(bucketStart(bucket) / 8);
  }
});

test('a percentile lies in the bucket of the exact one', () => {
  fc.assert(
    fc.property(
      fc.array(microseconds, { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (all, p) => {
        const exact = all.toSorted((a, b) => a - b)[percentileRank(p, all.length) - 1] ?? Number.NaN;
        const read = computePercentile(filled(all), p) ?? Number.NaN;
        const bucket = findBucket(exact);
        expect(read).toBeGreaterThanOrEqual(bucketStart(bucket));
        expect(read).toBeLessThanOrEqual(bucketStart(bucket + 1));
      },
    ),
  );
  expect(computePercentile({}, 0.5)).toBeUndefined();
});

test('among many samples a percentile is within five percent of the exact one', () => {
  const shares = fc.constantFrom(0.5, 0.9, 0.95, 0.99);
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 500, max: 500_000 }), shares, (seed, scale, p) => {
      const draw = dice(seed);
      const all = Array.from({ length: 20_000 }, () => Math.round(scale * (1 - Math.log(1 - draw()))));
      const exact = all.toSorted((a, b) => a - b)[percentileRank(p, all.length) - 1] ?? Number.NaN;
      const read = computePercentile(filled(all), p) ?? Number.NaN;
      expect(Math.abs(read - exact) / exact).toBeLessThan(0.05);
    }),
    { numRuns: 20 },
  );
});

test('times above a minute and negative times have a bucket', () => {
  expect(findBucket(1e12)).toBe(bucketCount - 1);
  expect(findBucket(-5)).toBe(0);
});
