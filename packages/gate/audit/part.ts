import { hour } from '@candleproof/document/spec/interval';
import { requireOperation } from '@candleproof/document/spec/operation';
import { buildPath } from '@candleproof/document/spec/request-path';
import { type Rung, rungSeconds } from '@candleproof/document/spec/roles';
import type { PoolId, Spec } from '@candleproof/document/spec/spec';

/** Unix seconds; from ≤ start and start < to for what belongs to it. */
export type AuditRange = { readonly from: number; readonly to: number };

/** One request of a sweep: a stretch of a pool's history in one interval. */
export type AuditPart = AuditRange & {
  readonly pool: PoolId;
  readonly interval: Rung;
  /** Halvings that led to it. */
  readonly depth: number;
};

/** The longest first: the beginning of a pool's life is then known before its many short candles are requested. */
export const auditedIntervals = ['week', 'day', 'hour'] as const satisfies readonly Rung[];

/** Intervals that a part has to hold for a half of it to be worth a request. */
const fewestToHalve = 4;

/**
 * The whole range of each pool in each interval (§4.2), an interval wider on both sides, so that all of it lies inside
 * however the target reads the edges, but no further than a minute ahead of `now`.
 */
export function wholeParts(
  { rungs }: Pick<Spec, 'rungs'>,
  pools: readonly PoolId[],
  { from, to }: AuditRange,
  now: number,
): AuditPart[] {
  return pools.flatMap((pool) =>
    auditedIntervals
      .filter((interval) => rungs[interval])
      .map((interval) => {
        const length = rungSeconds(rungs, interval);
        const end = Math.max(Math.min(to + length, now + 60), from + 1);
        return { pool, interval, depth: 0, from: Math.max(0, from - length), to: end };
      }),
  );
}

/** Returns both halves of a part, sharing two intervals so that each candle lies in one; none if it is too short. */
export function halve({ rungs }: Pick<Spec, 'rungs'>, part: AuditPart): AuditPart[] {
  const length = rungSeconds(rungs, part.interval);
  if (part.to - part.from < fewestToHalve * length) return [];
  const middle = Math.floor((part.from + part.to) / 2);
  const at = middle - (middle % hour);
  const depth = part.depth + 1;
  return [
    { ...part, depth, to: at + length },
    { ...part, depth, from: at - length },
  ];
}

/** Path and query of a part's request. */
export function partPath(spec: Spec, { pool, interval, from, to }: AuditPart): string {
  return buildPath(requireOperation(spec, 'history'), {
    pool,
    interval: spec.rungs[interval]?.name,
    from,
    to,
  });
}
