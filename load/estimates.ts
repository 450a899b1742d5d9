import { wilson } from '../planning/confidence.ts';
import { placeOf, sizeOf } from '../planning/histogram.ts';
import { rankInterval } from '../planning/percentile.ts';
import { beginOf, type LoadHistogram, percentileOf } from './histogram.ts';

/** A figure of one run with its interval of 95 %; a bound is absent where so few samples bound no side. */
export type Estimate = { readonly value: number; readonly low?: number; readonly high?: number };

/** One figure of both runs; undefined of a run that has nothing to tell it from. */
export type Compared = {
  readonly before: Estimate | undefined;
  readonly after: Estimate | undefined;
  /** Which way it went, by more than noise; absent where that cannot be reported. */
  readonly moved?: 'up' | 'down';
};

/** `effect` samples say as much as one that is independent. Bounds are those of buckets: of a sample nobody knows more. */
export function percentileWithin(latency: LoadHistogram, p: number, effect: number): Estimate | undefined {
  const value = percentileOf(latency, p);
  if (value === undefined) return undefined;
  const n = sizeOf(latency);
  const independent = Math.max(1, Math.floor(n / effect));
  const { lower, upper } = rankInterval(p, independent);
  const bucket = (rank: number | undefined): number | undefined =>
    rank === undefined ? undefined : placeOf(latency, Math.ceil((rank * n) / independent))?.bucket;
  const [low, high] = [bucket(lower), bucket(upper)];
  return {
    value,
    ...(low !== undefined && { low: beginOf(low) }),
    ...(high !== undefined && { high: beginOf(high + 1) }),
  };
}

/** Of nothing there is no share. */
export function shareOf(hits: number, n: number, effect: number): Estimate | undefined {
  return n === 0 ? undefined : { value: hits / n, ...wilson(hits / effect, n / effect) };
}

/** More than noise: the intervals of both have no value in common. */
export function withMove(before: Estimate | undefined, after: Estimate | undefined): Compared {
  const isBelow = (one: Estimate | undefined, other: Estimate | undefined): boolean =>
    one?.high !== undefined && other?.low !== undefined && one.high <= other.low;
  const moved = isBelow(before, after) ? 'up' : isBelow(after, before) ? 'down' : undefined;
  return { before, after, ...(moved && { moved }) };
}
