import {
  countSamples,
  bucketIndex as fineBucketOf,
  locateRank,
  percentileRank,
} from '@candleproof/law/planning/histogram';

/**
 * Number of samples by bucket, with eight buckets per doubling. A bucket is a union of eight of the monitors' buckets, so
 * that both add up exactly. Times are rounded microseconds; the last bucket has all longer times.
 */
export type LoadHistogram = Readonly<Record<number, number>>;

const finePerBucket = 8;

/** Longest time with a separate bucket, in microseconds: a minute. */
const longest = 60_000_000;

export const bucketCount = Math.floor(fineBucketOf(longest) / finePerBucket) + 1;

/** Returns the bucket of a time in microseconds. Negative times, from a clock that was set back, count as 0. */
export function findBucket(microseconds: number): number {
  const value = Math.min(longest, Math.max(0, Math.round(microseconds)));
  return Math.floor(fineBucketOf(value) / finePerBucket);
}

/**
 * Computes a percentile (`p` is a fraction) in microseconds; undefined without samples. Assumes samples evenly
 * distributed in their bucket, whose width is at most an eighth of its start.
 */
export function computePercentile(histogram: LoadHistogram, p: number): number | undefined {
  const place = locateRank(histogram, percentileRank(p, countSamples(histogram)));
  if (!place) return undefined;
  const [from, to] = [bucketStart(place.bucket), bucketStart(place.bucket + 1)];
  return from + (to - from) * place.within;
}

/** Returns the first microsecond of a bucket. */
export function bucketStart(bucket: number): number {
  const doublings = Math.max(0, Math.floor((bucket * finePerBucket) / 64) - 1);
  return (bucket * finePerBucket - 64 * doublings) * 2 ** doublings;
}
