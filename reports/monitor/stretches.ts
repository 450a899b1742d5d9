import type { ProbeOutcome } from '../../results/probe-record.ts';
import { measureCoverage } from './coverage.ts';
import type { HourCounts } from './facts.ts';
import { addUp } from './totals.ts';

/** Conditions of a stretch of time, worst first; `silent`: nothing was learned about the service. */
export const conditions = ['failed', 'degraded', 'ok', 'silent'] as const;
export type StretchCondition = (typeof conditions)[number];

/** A day or an hour of a watch. */
export type WatchStretch = {
  /** Unix ms. */
  readonly begin: number;
  readonly condition: StretchCondition;
  readonly planned: number;
  readonly run: number;
  /** Slots that traffic of others covered. */
  readonly covered: number;
  readonly outcomes: Readonly<Partial<Record<ProbeOutcome, number>>>;
};

type StretchCounts = Pick<HourCounts, 'begin' | 'states' | 'outcomes'>;

/**
 * Returns the condition of every stretch that begins at one of `begins`, in their order; all records are of one
 * watch.
 */
export function countStretches(records: readonly StretchCounts[], begins: readonly number[]): WatchStretch[] {
  const found = Map.groupBy(records, (each) => each.begin);
  return begins.map((begin) => stretch(begin, found.get(begin) ?? []));
}

function stretch(begin: number, records: readonly StretchCounts[]): WatchStretch {
  const outcomes: WatchStretch['outcomes'] = addUp(records.map((each) => each.outcomes));
  const coverage = measureCoverage({ states: addUp(records.map((each) => each.states)) });
  const { planned = 0, run = 0, covered = 0 } = coverage ?? {};
  return { begin, condition: stretchCondition(outcomes, covered), planned, run, covered, outcomes };
}

function stretchCondition(
  { failed, degraded, ok }: WatchStretch['outcomes'],
  covered: number,
): StretchCondition {
  if (failed) return 'failed';
  if (degraded) return 'degraded';
  return ok || covered > 0 ? 'ok' : 'silent';
}
