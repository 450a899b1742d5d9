import { bucketOf as fineBucketOf } from '../planning/histogram.ts';
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

/** The histogram of all samples together. */
export function mergeHistograms(all: readonly LoadHistogram[]): LoadHistogram {
  const counts: Record<number, number> = {};
  for (const each of all) {
    for (const [bucket, n] of entries(each)) counts[bucket] = (counts[bucket] ?? 0) + n;
  }
  return counts;
}

export function sizeOf(histogram: LoadHistogram): number {
  return Object.values(histogram).reduce((sum, n) => sum + n, 0);
}

/**
 * A percentile (`p` a fraction) in microseconds, undefined for no samples. Samples are taken for evenly spread in their
 * bucket, which is at most an eighth of its own begin wide.
 */
export function percentileOf(histogram: LoadHistogram, p: number): number | undefined {
  const rank = rankOf(p, sizeOf(histogram));
  let below = 0;
  for (const [bucket, n] of entries(histogram)) {
    if (below + n >= rank) {
      const [from, to] = [beginOf(bucket), beginOf(bucket + 1)];
      return from + ((to - from) * (rank - below - 0.5)) / n;
    }
    below += n;
  }
  return undefined;
}

/** The bucket of the sample of a rank in ascending order, the first is 1; undefined where there is none. */
export function bucketAt(histogram: LoadHistogram, rank: number): number | undefined {
  let below = 0;
  for (const [bucket, n] of entries(histogram)) {
    below += n;
    if (below >= rank) return bucket;
  }
  return undefined;
}

/** First microsecond of a bucket. */
export function beginOf(bucket: number): number {
  const doublings = Math.max(0, Math.floor((bucket * finePerBucket) / 64) - 1);
  return (bucket * finePerBucket - 64 * doublings) * 2 ** doublings;
}

function entries(histogram: LoadHistogram): [bucket: number, n: number][] {
  return Object.entries(histogram).map(([bucket, n]) => [Number(bucket), n]);
}
