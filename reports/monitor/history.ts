import type { Span } from '../../results/results-store.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { type GoodShare, shareOf } from './estimates.ts';
import type { DayCounts } from './facts.ts';
import type { Own } from './judged-days.ts';
import { outagesIn } from './outages.ts';
import { addUp, indicatorTotal } from './totals.ts';
import { watchedIn } from './watched.ts';

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
export function monthsOf(
  days: readonly DayCounts[],
  { extents, incidents }: Pick<Own, 'extents' | 'incidents'>,
  now: number,
): MonthFigures[] {
  const months = Map.groupBy(days, ({ begin }) => new Date(begin).toISOString().slice(0, 7));
  return [...months]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([month, records]) => {
      const window = windowOf(month, now);
      const outages = outagesIn(incidents, window);
      const watched = watchedIn(window, extents, records)?.share;
      const { failed = 0, degraded = 0 } = addUp(records.map((each) => each.outcomes));
      return {
        month,
        availability: shareOf(indicatorTotal(records, 'availability'), outages.availability),
        correctness: shareOf(indicatorTotal(records, 'correctness'), outages.correctness),
        coverage: coverageOf({ states: addUp(records.map((each) => each.states)) }, watched),
        failed,
        degraded,
      };
    });
}

function windowOf(month: string, now: number): Span {
  const from = new Date(`${month}-01T00:00:00Z`);
  return { from: from.valueOf(), to: Math.min(now, Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)) };
}
