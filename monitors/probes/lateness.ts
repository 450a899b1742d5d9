import type { Exchange, FailureKind } from '@candleproof/law/reading/exchange';
import { type Conclusion, classify } from './outcome.ts';
import type { BlamedTime } from './self-check.ts';
import type { Watch } from './watch.ts';

/**
 * Returns the time that is blamed on the target if its failures are those that a late answer has. Half of it is not: a
 * monitor that stood still for the other half may itself be the reason.
 */
export function lateFailure(exchanges: readonly Exchange[]): BlamedTime | undefined {
  const failed = exchanges.filter((exchange) => typeof classify(exchange) === 'object');
  if (failed.length === 0 || !failed.every(({ failure }) => failure && lateKinds.has(failure.kind)))
    return undefined;
  const measured = Math.max(...failed.map(({ timings }) => timings.total));
  return { measured, allowed: measured / 2 };
}

const lateKinds: ReadonlySet<FailureKind> = new Set(['timeout', 'reset', 'truncated']);

/** Returns the time that a failure, or a degradation by nothing but latency, rests on. */
export function blamedTime(
  { outcome, degradedBy = [] }: Conclusion,
  lasts: readonly Exchange[],
  watch: Watch,
): BlamedTime | undefined {
  if (outcome === 'failed') return lateFailure(lasts);
  const [measured, allowed] = [slowest(lasts), findLimit('latency', watch)];
  const isLate = degradedBy.every((cause) => cause === 'latency');
  return isLate && measured !== undefined && allowed !== undefined ? { measured, allowed } : undefined;
}

/** Returns the ms of the slowest answer. */
export function slowest(exchanges: readonly Exchange[]): number | undefined {
  const times = exchanges
    .filter((exchange) => classify(exchange) === 'answered')
    .map(({ timings }) => timings.total);
  return times.length === 0 ? undefined : Math.max(...times);
}

type Limited = 'latency' | 'freshness';

function findLimit(indicator: Limited, { definition }: Watch): number | undefined {
  return definition.objectives.find((objective) => objective.indicator === indicator)?.under;
}

/** Returns whether a time (ms) is beyond its objective; undefined without one. */
export function exceedsObjective(
  indicator: Limited,
  ms: number | undefined,
  watch: Watch,
): boolean | undefined {
  const under = findLimit(indicator, watch);
  return ms === undefined || under === undefined ? undefined : ms > under;
}
