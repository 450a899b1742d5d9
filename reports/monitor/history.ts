import type { Span } from '../../results/results-store.ts';
import { type Coverage, measureCoverage } from './coverage.ts';
import { estimateShare, type GoodShare } from './estimates.ts';
import type { DayCounts } from './facts.ts';
import type { Own } from './judged-days.ts';
import { countOutages } from './outages.ts';
import { addUp, indicatorTotal } from './totals.ts';
import { measureWatched } from './watched.ts';

/** One calendar month (UTC) of a watch. */
export type MonthFigures = {
  /** `2026-11`. */
  readonly month: string;
  readonly availability?: GoodShare | undefined;
  readonly correctness?: GoodShare | undefined;
  readonly coverage?: Coverage | undefined;
  readonly failed: number;
  readonly degraded: number;
};

/** Every month that was watched, the newest first, the running one until `now`. */
export function listMonths(
  days: readonly DayCounts[],
  { extents, incidents }: Pick<Own, 'extents' | 'incidents'>,
  now: number,
): MonthFigures[] {
  const months = Map.groupBy(days, ({ begin }) => new Date(begin).toISOString().slice(0, 7));
  return [...months]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([month, records]) => {
      const window = monthSpan(month, now);
      const outages = countOutages(incidents, window);
      const watched = measureWatched(window, extents, records)?.share;
      const { failed = 0, degraded = 0 } = addUp(records.map((each) => each.outcomes));
      return {
        month,
        availability: estimateShare(indicatorTotal(records, 'availability'), outages.availability),
        correctness: estimateShare(indicatorTotal(records, 'correctness'), outages.correctness),
        coverage: measureCoverage({ states: addUp(records.map((each) => each.states)) }, watched),
        failed,
        degraded,
      };
    });
}

function monthSpan(month: string, now: number): Span {
  const from = new Date(`${month}-01T00:00:00Z`);
  return { from: from.valueOf(), to: Math.min(now, Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)) };
}
