import { type Coverage, coverageOf } from './coverage.ts';
import { type Share, shareOf } from './estimates.ts';
import type { DayCounts } from './facts.ts';
import { addUp, indicatorTotal } from './totals.ts';

/** One calendar month (UTC) of a watch. */
export type MonthFigures = {
  /** `2026-11`. */
  readonly month: string;
  readonly availability?: Share;
  readonly correctness?: Share;
  readonly coverage?: Coverage;
  readonly failed: number;
  readonly degraded: number;
};

/** Every month that was watched, the newest first. */
export function monthsOf(days: readonly DayCounts[]): MonthFigures[] {
  const months = Map.groupBy(days, ({ begin }) => new Date(begin).toISOString().slice(0, 7));
  return [...months]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([month, records]) => {
      const { failed = 0, degraded = 0 } = addUp(records.map((each) => each.outcomes));
      return {
        month,
        availability: shareOf(indicatorTotal(records, 'availability')),
        correctness: shareOf(indicatorTotal(records, 'correctness')),
        coverage: coverageOf({ states: addUp(records.map((each) => each.states)) }),
        failed,
        degraded,
      };
    });
}
