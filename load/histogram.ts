import { bucketOf as fineBucketOf, placeOf, sizeOf } from '../planning/histogram.ts';
import { rankOf } from '../planning/percentile.ts';

/**
 * Samples by bucket, eight buckets to a doubling: each is a union of eight of the monitors' buckets, so that both add
 * up exactly. Microseconds, rounded; the last bucket holds all above.
 */
export type LoadHistogram = Readonly<Record<number, number>>;

const finePerBucket = 8;

/** Longest time that a bucket of its own has: a minute. */
const longest = 60_000_000;

/** Number of buckets. */
export const bucketCount = Math.floor(fineBucketOf(longest) / finePerBucket) + 1;

/** The bucket of a time in microseconds; what a clock that was set back makes negative is none. */
export function bucketOf(microseconds: number): number {
  const value = Math.min(longest, Math.max(0, Math.round(microseconds)));
  return Math.floor(fineBucketOf(value) / finePerBucket);
}

/**
 * A percentile (`p` a fraction) in microseconds, undefined for no samples. Samples are taken for evenly spread in their
 * bucket, which is at most an eighth of its own begin wide.
 */
export function percentileOf(histogram: LoadHistogram, p: number): number | undefined {
  const place = placeOf(histogram, rankOf(p, sizeOf(histogram)));
  if (!place) return undefined;
  const [from, to] = [beginOf(place.bucket), beginOf(place.bucket + 1)];
  return from + (to - from) * place.within;
}

/** First microsecond of a bucket. */
export function beginOf(bucket: number): number {
  const doublings = Math.max(0, Math.floor((bucket * finePerBucket) / 64) - 1);
  return (bucket * finePerBucket - 64 * doublings) * 2 ** doublings;
}
