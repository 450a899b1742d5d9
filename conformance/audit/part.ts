import { pathOf } from '../../contract/asked.ts';
import { type Interval, intervalSeconds } from '../../contract/interval.ts';
import { operationFor } from '../../contract/operation.ts';
import type { Spec } from '../../contract/spec.ts';

/** Unix seconds; from ≤ start and start < to for what belongs to it. */
export type AuditRange = { readonly from: number; readonly to: number };

/** One request of a sweep: a stretch of a V2 pool's history in one interval. */
export type Part = AuditRange & {
  readonly pool: number;
  readonly interval: Interval;
  /** Halvings that led to it. */
  readonly depth: number;
};

/** The longest first: where a pool's life begins is then known before its many short candles are asked for. */
export const auditedIntervals = ['WEEK', 'DAY', 'HOUR'] as const satisfies readonly Interval[];

/** Intervals that a part has to hold for a half of it to be worth a request. */
const fewestToHalve = 4;

/**
 * The whole range of each pool in each interval (§4.2), an interval wider on both sides, so that all of it lies inside
 * however the target reads the edges, but no further than a minute ahead of `now`.
 */
export function wholeParts(pools: readonly number[], { from, to }: AuditRange, now: number): Part[] {
  return pools.flatMap((pool) =>
    auditedIntervals.map((interval) => {
      const length = intervalSeconds[interval];
      const end = Math.max(Math.min(to + length, now + 60), from + 1);
      return { pool, interval, depth: 0, from: Math.max(0, from - length), to: end };
    }),
  );
}

/** Both halves of a part; they share two intervals, so that each candle lies inside of one. None where it is too short. */
export function halvesOf(part: Part): Part[] {
  const length = intervalSeconds[part.interval];
  if (part.to - part.from < fewestToHalve * length) return [];
  const middle = Math.floor((part.from + part.to) / 2);
  const at = middle - (middle % intervalSeconds.HOUR);
  const depth = part.depth + 1;
  return [
    { ...part, depth, to: at + length },
    { ...part, depth, from: at - length },
  ];
}

/** Path and query of a part's request. */
export function pathOfPart(spec: Spec, { pool, interval, from, to }: Part): string {
  return pathOf(operationFor(spec, 'history'), { pool, interval, from, to });
}
