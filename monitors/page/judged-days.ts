import { mergeAll } from '@candleproof/law/planning/histogram';
import { day, roundToBegin } from '../results/calendar.ts';
import { type HourRecord, type PhaseBuckets, timed } from '../results/hour-record.ts';
import type { ProbeSeries } from '../results/probe-record.ts';
import { addTotals, measureCoverage } from './coverage.ts';
import { daysJudged } from './days.ts';
import { estimatePercentiles, estimateShare, judge, measureFreshness } from './estimates.ts';
import type { MustsJudged } from './newest-runs.ts';
import { countOutages, measureDowntime, type Outage } from './outages.ts';
import type { IncidentCounts, MonitorFacts } from './page-facts.ts';
import type { ReportedPlan } from './plan-facts.ts';
import { measureWatched } from './watches.ts';

export type WatchFacts = Pick<MonitorFacts, 'days' | 'hours' | 'past' | 'extents' | 'newestRuns'> & {
  readonly musts?: MustsJudged | undefined;
  /** Since when the monitor cannot judge it, Unix ms. */
  readonly blindSince?: number | undefined;
  /** Every incident, however old. */
  readonly incidents: readonly IncidentCounts[];
};

/** Returns the figures of one watch over the judged days that decide about its objectives. */
export function judgedDays(watchFacts: WatchFacts, { objectives }: ReportedPlan, now: number) {
  const { records, runs, judging } = selectJudged(watchFacts, now);
  const figures = measure(records, judging);
  const { indicators } = figures.totals;
  const looked = figures.coverage?.share ?? figures.watched?.share ?? 0;
  return {
    ...figures,
    judgements: objectives.map((objective) => {
      const { indicator } = objective;
      return judge(objective, indicators[indicator], { outages: runs[indicator], looked });
    }),
    correctness: estimateShare(indicators.correctness, runs.correctness),
  };
}

/** Returns what else is known of the judged days; `outages` are those of the watch in the days shown. */
export function judgedDetails(watchFacts: WatchFacts, outages: readonly Outage[], now: number) {
  const { records, judging } = selectJudged(watchFacts, now);
  const { window, extents } = judging;
  return {
    freshness: measureFreshness(records),
    operations: listOperations(records, judging),
    downtime: measureWatched(window, extents, records) && measureDowntime(outages, window.from, now),
    incidents: outages.filter(({ incident }) => (incident.end ?? now) >= window.from).length,
  };
}

function selectJudged({ days, extents, incidents }: WatchFacts, now: number) {
  const window = { from: roundToBegin(now, day) - (daysJudged - 1) * day, to: now };
  const runs = countOutages(incidents, window);
  return {
    records: days.filter(({ begin }) => begin >= window.from),
    runs,
    judging: { window, extents, outages: runs.availability },
  };
}

/** The period of the figures, the end of each series, and the outages that held the slots without an answer. */
type Judging = ReturnType<typeof selectJudged>['judging'];

function measure(records: readonly HourRecord[], { window, extents, outages }: Judging) {
  const totals = addTotals(records);
  const watched = measureWatched(window, extents, records);
  const { firstLook } = totals;
  const { availability } = totals.indicators;
  // First attempts have extra failures, which were over at the confirmation.
  const blips = Math.max(0, firstLook.bad - availability.bad);
  return {
    totals,
    watched,
    availability: estimateShare(availability, outages),
    raw: estimateShare(firstLook, outages + blips),
    coverage: measureCoverage(totals, watched?.share),
  };
}

export type WatchedOperation = ProbeSeries['operation'];

export type OperationFigures = ReturnType<typeof measureOperation>;

/** Lists the operations in the order of their names, a probe of several operations last. */
function listOperations(records: readonly HourRecord[], judging: Judging): OperationFigures[] {
  return [...Map.groupBy(records, ({ series }) => series.operation)]
    .sort(([a], [b]) => Number(a === 'all') - Number(b === 'all') || (a < b ? -1 : 1))
    .map(([name, own]) => measureOperation(name, own, judging));
}

function measureOperation(operation: WatchedOperation, records: readonly HourRecord[], judging: Judging) {
  const extents = judging.extents.filter(({ series }) => series.operation === operation);
  const phases = timed.flatMap((phase) => measurePhase(records, phase) ?? []);
  const { cold, warm } = phases.find(({ phase }) => phase === 'total') ?? {};
  return {
    operation,
    probes: [...new Set(records.map(({ series }) => series.probe))].toSorted(),
    ...measure(records, { ...judging, extents }),
    freshness: measureFreshness(records),
    cold,
    warm,
    /** From the planned instant to the answer's end, in microseconds. */
    sincePlanned: estimatePercentiles(mergeAll(records.map((record) => record.sincePlanned))),
    phases,
  };
}

/** Estimates timings in microseconds, as they are stored. */
function measurePhase(records: readonly HourRecord[], phase: keyof PhaseBuckets) {
  const cold = estimatePercentiles(mergeAll(records.map((record) => record.cold[phase] ?? {})));
  const warm = estimatePercentiles(mergeAll(records.map((record) => record.warm[phase] ?? {})));
  return cold || warm ? { phase, cold, warm } : undefined;
}
