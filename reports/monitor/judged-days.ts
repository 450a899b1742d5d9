import { type Coverage, measureCoverage } from './coverage.ts';
import {
  estimateShare,
  type Freshness,
  type GoodShare,
  judge,
  measureFreshness,
  type ObjectiveResult,
} from './estimates.ts';
import type { IncidentCounts, MonitorFacts } from './facts.ts';
import type { MustsJudged } from './looks.ts';
import { countAvailability, listOperationFigures, type OperationFigures } from './operations.ts';
import { countOutages, type Downtime, measureDowntime, type Outage } from './outages.ts';
import type { ReportedPlan } from './plan.ts';
import { day, dayStart, daysJudged } from './spans.ts';
import { addTotals, type Totals } from './totals.ts';
import { measureWatched, type Watched, type WatchId } from './watches.ts';

/** The facts of one watch. */
export type WatchFacts = Pick<MonitorFacts, 'days' | 'hours' | 'past' | 'extents' | 'looks'> & {
  readonly musts?: MustsJudged;
  /** Every incident, however long past. */
  readonly incidents: readonly IncidentCounts[];
};

/** The figures of one watch over the judged days. */
export type JudgedDays = {
  /** Absent where nothing was planned in them. */
  readonly watched?: Watched | undefined;
  readonly judgements: readonly ObjectiveResult[];
  readonly totals: Totals;
  readonly availability?: GoodShare | undefined;
  readonly raw?: GoodShare | undefined;
  readonly correctness?: GoodShare | undefined;
  readonly coverage?: Coverage | undefined;
  readonly operations: readonly OperationFigures[];
  readonly freshness?: Freshness | undefined;
  /** Absent where nobody of ours requested. */
  readonly downtime?: Downtime | undefined;
  readonly incidents: number;
};

/** `outages` are those of the watch in the days shown. */
export function judgedDays(
  watch: WatchId,
  watchFacts: WatchFacts,
  outages: readonly Outage[],
  { objectives }: ReportedPlan,
  now: number,
): JudgedDays {
  const from = dayStart(now) - (daysJudged - 1) * day;
  const window = { from, to: now };
  const judged = watchFacts.days.filter(({ begin }) => begin >= from);
  const totals = addTotals(judged);
  const isOurs = watch.source === 'active';
  const watched = measureWatched(window, watchFacts.extents, judged);
  const coverage = isOurs ? measureCoverage(totals, watched?.share) : undefined;
  const runs = countOutages(watchFacts.incidents, window);
  const looked = coverage?.share ?? watched?.share ?? 0;
  return {
    totals,
    ...(watched && { watched }),
    judgements: objectives.map((objective) =>
      judge(objective, totals.indicators[objective.indicator], {
        outages: runs[objective.indicator],
        looked,
      }),
    ),
    ...countAvailability(totals, runs.availability),
    correctness: estimateShare(totals.indicators.correctness, runs.correctness),
    coverage,
    operations: listOperationFigures(judged, {
      window,
      extents: watchFacts.extents,
      outages: runs.availability,
    }),
    freshness: measureFreshness(judged),
    downtime: isOurs ? measureDowntime(outages, from, now) : undefined,
    incidents: outages.filter(({ incident }) => (incident.end ?? now) >= from).length,
  };
}
