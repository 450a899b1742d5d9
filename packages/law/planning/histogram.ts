import { binomial, usualConfidence } from './confidence.ts';

/**
 * The number of samples in each bucket, as plain JSON: equal samples give equal bytes. 64 buckets to a doubling give
 * a value to within 0.8 %, and exactly below 128. Whole numbers of any unit: microseconds for times.
 */
export type Histogram = Readonly<Record<number, number>>;

/** Builds a histogram of rounded samples. Throws a RangeError for a negative sample or one beyond 2^53. */
export function buildHistogram(samples: Iterable<number>): Histogram {
  const counts = sparseCounts();
  for (const sample of samples) {
    const bucket = bucketIndex(Math.round(sample));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

/** Merges histograms into one. */
export function mergeAll(histograms: Iterable<Histogram>): Histogram {
  const counts = sparseCounts();
  for (const histogram of histograms) {
    // No pairs are made: this is the inner loop of every report.
    for (const bucket in histogram)
      counts[Number(bucket)] = (counts[Number(bucket)] ?? 0) + (histogram[bucket] ?? 0);
  }
  return counts;
}

/**
 * Creates an empty set of counts. One far index makes the engine store few numbers sparsely, not as an array with a
 * place for every lower bucket: thousands of hours then fit into memory.
 */
export function sparseCounts(): Record<number, number> {
  const counts: Record<number, number> = { 999999: 0 };
  delete counts[999_999];
  return counts;
}

/** Returns the number of samples. */
export function countSamples(histogram: Histogram): number {
  return Object.values(histogram).reduce((sum, count) => sum + count, 0);
}

/**
 * Locates the sample of a rank in ascending order (the first is 1): its bucket, and the fraction of that bucket
 * before it if samples are spread evenly. Undefined without one. For buckets of any width.
 */
export function locateRank(
  histogram: Histogram,
  rank: number,
): { bucket: number; within: number } | undefined {
  let below = 0;
  // Ascending, because an object keeps whole-number names in their order.
  for (const [bucket, count] of Object.entries(histogram)) {
    if (below + count >= rank) return { bucket: Number(bucket), within: (rank - below - 0.5) / count };
    below += count;
  }
  return undefined;
}

/** Returns the middle of the bucket that holds a rank: at most half a bucket from the sample. */
export function findValue(histogram: Histogram, rank: number): number | undefined {
  const place = locateRank(histogram, rank);
  return place && bucketMiddle(place.bucket);
}

/** Returns a percentile (`p` is a fraction); undefined without samples. */
export function percentile(histogram: Histogram, p: number): number | undefined {
  return findValue(histogram, percentileRank(p, countSamples(histogram)));
}

/** Uses integer arithmetic, because logarithms may be rounded differently on another machine. */
export function bucketIndex(value: number): number {
  if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(`a histogram takes whole numbers from 0 to 2^53, not ${value}`);
  }
  const bits = value < 2 ** 32 ? 32 - Math.clz32(value) : 64 - Math.clz32(value / 2 ** 32);
  const doublings = Math.max(0, bits - 7);
  return 64 * doublings + Math.floor(value / 2 ** doublings);
}

function bucketMiddle(bucket: number): number {
  const doublings = Math.max(0, Math.floor(bucket / 64) - 1);
  return (bucket - 64 * doublings) * 2 ** doublings + (2 ** doublings - 1) / 2;
}

/** Ranks among samples in ascending order, from 1; undefined if there are too few samples to bound that side. */
export type Ranks = { readonly lower: number | undefined; readonly upper: number | undefined };

/** Products such as 0.07 × 100 exceed the whole number that they should equal. */
const rounding = 1e-9;

/**
 * Returns the rank of a percentile (`p` is a fraction, 0.99 for p99) of `n` samples: the smallest that covers p·n of
 * them.
 */
export function percentileRank(p: number, n: number): number {
  return Math.min(n, Math.max(1, Math.ceil(p * n - rounding)));
}

/**
 * Returns the ranks between which the true percentile lies, for any distribution: the values at them are its confidence
 * interval. Assumes independent samples.
 */
export function rankInterval(p: number, n: number, confidence = usualConfidence): Ranks {
  const tail = (1 - confidence) / 2;
  const { first, mass } = binomial(n, p);
  let [lower, upper]: [number, number] = [first, n + 1];
  let below = 0;
  for (const [index, share] of mass.entries()) {
    below += share;
    if (below <= tail) lower = first + index + 1;
    if (below < 1 - tail) continue;
    upper = first + index + 1;
    break;
  }
  return { lower: lower >= 1 ? lower : undefined, upper: upper <= n ? upper : undefined };
}

/** Returns the fewest samples of which one is expected beyond the percentile: with fewer it equals the extreme. */
export function minSamples(p: number): number {
  return Math.ceil(1 / Math.min(p, 1 - p) - rounding);
}
