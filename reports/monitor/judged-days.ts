import { type Coverage, coverageOf } from './coverage.ts';
import { type GoodShare, judge, type ObjectiveResult, shareOf } from './estimates.ts';
import type { IncidentCounts, MonitorFacts } from './facts.ts';
import { type Freshness, freshnessOf } from './freshness.ts';
import type { MustsJudged } from './looks.ts';
import { availabilityOf, type OperationFigures, operationsOf } from './operations.ts';
import { type Downtime, downtimeOf, type Outage, outagesIn } from './outages.ts';
import type { ReportedPlan } from './plan.ts';
import { day, dayOf, daysJudged } from './spans.ts';
import { type Totals, totalsOf } from './totals.ts';
import { type Watched, watchedIn } from './watched.ts';
import type { WatchId } from './watches.ts';

/** What there is of one watch. */
export type Own = Pick<MonitorFacts, 'days' | 'hours' | 'past' | 'extents' | 'looks'> & {
  readonly musts?: MustsJudged;
  /** Every incident, however long past. */
  readonly incidents: readonly IncidentCounts[];
};

/** What is reported of one watch over the judged days. */
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

/** `outages` are the watch's own of the days shown. */
export function judgedDays(
  watch: WatchId,
  own: Own,
  outages: readonly Outage[],
  { objectives }: ReportedPlan,
  now: number,
): JudgedDays {
  const from = dayOf(now) - (daysJudged - 1) * day;
  const window = { from, to: now };
  const judged = own.days.filter(({ begin }) => begin >= from);
  const totals = totalsOf(judged);
  const isOurs = watch.source === 'active';
  const watched = watchedIn(window, own.extents, judged);
  const coverage = isOurs ? coverageOf(totals, watched?.share) : undefined;
  const runs = outagesIn(own.incidents, window);
  const looked = coverage?.share ?? watched?.share ?? 0;
  return {
    totals,
    ...(watched && { watched }),
    judgements: objectives.map((each) =>
      judge(each, totals.indicators[each.indicator], { outages: runs[each.indicator], looked }),
    ),
    ...availabilityOf(totals, runs.availability),
    correctness: shareOf(totals.indicators.correctness, runs.correctness),
    coverage,
    operations: operationsOf(judged, { window, extents: own.extents, outages: runs.availability }),
    freshness: freshnessOf(judged),
    downtime: isOurs ? downtimeOf(outages, from, now) : undefined,
    incidents: outages.filter(({ incident }) => (incident.end ?? now) >= from).length,
  };
}
