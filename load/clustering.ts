import { coarsely } from './counters.ts';
import type { LoadHistogram } from './histogram.ts';

/** Samples of one slice and how many of them have a property. */
type Slice = { readonly n: number; readonly hits: number };

/**
 * How many samples say as much as one that is independent of all others: the variance of the slices' counts as a
 * multiple of what chance alone would make it. At least 1; a rate that changes on purpose counts as well, which makes
 * it only more careful.
 */
export function clusteringOf(all: readonly Slice[]): number {
  const slices = all.filter(({ n }) => n > 0);
  const n = slices.reduce((sum, slice) => sum + slice.n, 0);
  const share = slices.reduce((sum, slice) => sum + slice.hits, 0) / n;
  const byChance = n * share * (1 - share);
  if (slices.length < 2 || !(byChance > 0)) return 1;
  const squares = slices.reduce((sum, slice) => sum + (slice.hits - slice.n * share) ** 2, 0);
  return Math.max(1, ((squares / byChance) * slices.length) / (slices.length - 1));
}

/** Samples of a slice from the doubling of a run's bucket on, or from so many doublings later. */
export function coarseAbove(coarse: LoadHistogram, bucket: number, later: number): number {
  const from = Math.floor(bucket / coarsely) + later;
  return Object.entries(coarse).reduce((sum, [at, n]) => sum + (Number(at) >= from ? n : 0), 0);
}
