import { wilsonInterval } from '@candleproof/law/planning/confidence';
import { countSamples, locateRank, rankInterval } from '@candleproof/law/planning/histogram';
import { coarsely } from './counters.ts';
import { bucketStart, computePercentile, type LoadHistogram } from './histogram.ts';

/** A figure of one run with its interval of 95 %; a bound is absent if so few samples bound no side. */
export type Estimate = { readonly value: number; readonly low?: number; readonly high?: number };

/** One figure of two runs; undefined for a run without samples. */
export type Compared = {
  readonly before: Estimate | undefined;
  readonly after: Estimate | undefined;
  /** Direction of a significant change; absent without one. */
  readonly moved?: 'up' | 'down';
};

/** Estimates a percentile, with `effect` samples counting as one independent sample. Bounds are those of buckets. */
export function estimatePercentile(latency: LoadHistogram, p: number, effect: number): Estimate | undefined {
  const value = computePercentile(latency, p);
  if (value === undefined) return undefined;
  const n = countSamples(latency);
  const independent = Math.max(1, Math.floor(n / effect));
  const { lower, upper } = rankInterval(p, independent);
  const bucket = (rank: number | undefined): number | undefined =>
    rank === undefined ? undefined : locateRank(latency, Math.ceil((rank * n) / independent))?.bucket;
  const [low, high] = [bucket(lower), bucket(upper)];
  return {
    value,
    ...(low !== undefined && { low: bucketStart(low) }),
    ...(high !== undefined && { high: bucketStart(high + 1) }),
  };
}

/** Estimates a share; undefined without samples. */
export function estimateShare(hits: number, n: number, effect: number): Estimate | undefined {
  return n === 0 ? undefined : { value: hits / n, ...wilsonInterval(hits / effect, n / effect) };
}

/** Compares two estimates. A change is significant if their intervals do not overlap. */
export function compareEstimates(before: Estimate | undefined, after: Estimate | undefined): Compared {
  const isBelow = (one: Estimate | undefined, other: Estimate | undefined): boolean =>
    one?.high !== undefined && other?.low !== undefined && one.high <= other.low;
  const moved = isBelow(before, after) ? 'up' : isBelow(after, before) ? 'down' : undefined;
  return { before, after, moved };
}

/** Number of samples in a slice, and of those with a property. */
type Slice = { readonly n: number; readonly hits: number };

/**
 * Estimates the design effect of clustered samples: the variance of the slices' counts, divided by that of independent
 * samples. At least 1. Intended changes of the rate increase it, which is conservative.
 */
export function estimateClustering(all: readonly Slice[]): number {
  const slices = all.filter(({ n }) => n > 0);
  const n = slices.reduce((sum, slice) => sum + slice.n, 0);
  const share = slices.reduce((sum, slice) => sum + slice.hits, 0) / n;
  const byChance = n * share * (1 - share);
  if (slices.length < 2 || !(byChance > 0)) return 1;
  const squares = slices.reduce((sum, slice) => sum + (slice.hits - slice.n * share) ** 2, 0);
  return Math.max(1, ((squares / byChance) * slices.length) / (slices.length - 1));
}

/** Counts the samples of a slice from the doubling of a bucket on, plus `later` doublings. */
export function countAbove(coarse: LoadHistogram, bucket: number, later: number): number {
  const from = Math.floor(bucket / coarsely) + later;
  return Object.entries(coarse).reduce((sum, [at, n]) => sum + (Number(at) >= from ? n : 0), 0);
}
