import type { Series } from '../../results/probe-record.ts';
import { type Coverage, coverageOf, unbookedSlots } from './coverage.ts';
import { type Judgement, judge, type Share, shareOf } from './estimates.ts';
import type { MonitorFacts } from './facts.ts';
import { type Freshness, freshnessOf } from './freshness.ts';
import { type OperationFigures, operationsOf } from './operations.ts';
import { type Downtime, downtimeOf, type Outage } from './outages.ts';
import type { MonitorPlan } from './plan.ts';
import { day, dayOf, daysJudged } from './spans.ts';
import { type Totals, totalsOf } from './totals.ts';
import type { Watch } from './watches.ts';

/** Records of one watch. */
export type Own = Pick<MonitorFacts, 'days' | 'hours' | 'past'>;

/** What is told of one watch over the judged days. */
export type JudgedDays = {
  readonly judgements: readonly Judgement[];
  readonly totals: Totals;
  readonly availability?: Share;
  readonly raw?: Share;
  readonly correctness?: Share;
  readonly coverage?: Coverage;
  readonly operations: readonly OperationFigures[];
  readonly freshness?: Freshness;
  /** Absent where nobody of ours asked. */
  readonly downtime?: Downtime;
  readonly incidents: number;
};

/** `outages` are those of all watches. */
export function judgedDays(
  watch: Watch,
  records: Own,
  outages: readonly Outage[],
  plan: MonitorPlan,
  now: number,
): JudgedDays {
  const from = dayOf(now) - (daysJudged - 1) * day;
  const judged = records.days.filter(({ begin }) => begin >= from);
  const totals = totalsOf(judged);
  const own = outagesAt(watch, outages);
  const isOurs = watch.source === 'active';
  const unbooked = unbookedIn(watch, records, plan, from, now);
  return {
    totals,
    judgements: plan.objectives.map((each) => judge(each, totals.indicators[each.indicator])),
    availability: shareOf(totals.indicators.availability),
    raw: totals.firstLook && shareOf(totals.firstLook),
    correctness: shareOf(totals.indicators.correctness),
    coverage: isOurs ? coverageOf(totals, unbooked()) : undefined,
    operations: operationsOf(judged, unbooked),
    freshness: freshnessOf(judged),
    downtime: isOurs ? downtimeOf(own, from, now) : undefined,
    incidents: own.filter(({ incident }) => (incident.end ?? now) >= from).length,
  };
}

/** Slots that were due and are in no record, of all operations or of one; known only of what the plan speaks of. */
function unbookedIn(watch: Watch, { hours, past }: Own, plan: MonitorPlan, from: number, now: number) {
  const isPlanned = watch.location === plan.location && watch.source === 'active';
  const probes = isPlanned ? plan.probes.filter(({ target }) => target === watch.target) : [];
  return (operation?: Series['operation']): number => {
    const records = [...past, ...hours].filter(
      ({ series }) => operation === undefined || series.operation === operation,
    );
    return unbookedSlots(records, probes, from, now);
  };
}

/** Incidents are of our own probes. */
function outagesAt({ target, location, source }: Watch, outages: readonly Outage[]): Outage[] {
  return source === 'passive'
    ? []
    : outages.filter(({ incident }) => incident.target === target && incident.location === location);
}
