import { day, roundToBegin } from '../results/calendar.ts';
import { daysJudged } from './days.ts';
import type { Freshness, GoodShare, ObjectiveResult, Percentiles } from './estimates.ts';
import type { OperationFigures } from './judged-days.ts';
import { verdictOfRun } from './newest-runs.ts';
import type { KeyView } from './quota.ts';
import type { MonitorView, WatchView } from './view.ts';

/** The output of `candleproof report --json`, as numbers.schema.json describes it. */
export type MonitorNumbers = ReturnType<typeof monitorNumbers>;

/** Returns the numbers that `candleproof report --json` prints: null for what is unknown. */
export function monitorNumbers({ now, plan, watches, keys }: MonitorView) {
  const from = roundToBegin(now, day) - (daysJudged - 1) * day;
  return {
    generatedAt: iso(now),
    window: { from: iso(from), to: iso(now) },
    versions: plan.versions,
    targets: watches.map(targetNumbers),
    keys: keys.map(keyNumbers),
  };
}

function targetNumbers(view: WatchView) {
  const { watch, availability, raw, correctness, coverage, freshness, certificate, musts, deepRun } = view;
  const { target, location } = watch;
  const { lastLook, unseenSince } = view.present;
  return {
    ...{ target, location },
    ...shareNumbers(availability),
    availabilityRaw: raw?.share ?? null,
    correctness: correctness?.share ?? null,
    mustsJudged: musts?.musts ?? null,
    musts: musts?.of ?? null,
    deepRun: deepRun
      ? { at: iso(deepRun.scheduledAt), verdict: verdictOfRun(deepRun), rules: deepRun.rules }
      : null,
    lastLook: isoOrNull(lastLook),
    isUnseen: lastLook === undefined || unseenSince !== undefined,
    coverage: coverage?.share ?? null,
    watched: watchedNumbers(view),
    freshness: freshnessNumbers(freshness),
    certificateEnd: certificate ? iso(certificate.end) : null,
    downtime: view.downtime ?? null,
    incidents: view.incidents,
    objectives: view.judgements.map(objectiveNumbers),
    operations: view.operations.map(operationNumbers),
  };
}

function watchedNumbers({ watched, coverage }: WatchView) {
  if (!watched) return null;
  const { from, to, share } = watched;
  return { from: iso(from), to: iso(to), share, coverage: coverage?.whileWatched ?? null };
}

function operationNumbers(figures: OperationFigures) {
  const { operation, availability, raw, coverage, cold, warm, sincePlanned, freshness } = figures;
  return {
    operation,
    ...shareNumbers(availability),
    availabilityRaw: raw?.share ?? null,
    coverage: coverage?.share ?? null,
    latency: {
      ...sampleNumbers(cold, 1000),
      warm: sampleNumbers(warm, 1000),
      sincePlanned: sampleNumbers(sincePlanned, 1000),
    },
    freshness: freshnessNumbers(freshness),
  };
}

function objectiveNumbers({ objective, standing, measured, proven }: ObjectiveResult) {
  return {
    indicator: objective.indicator,
    objective: objective.objective,
    under: objective.under ?? null,
    verdict: standing,
    n: measured?.total ?? 0,
    nIndependent: measured?.independent ?? 0,
    measured: measured?.share ?? null,
    interval: shareBounds(measured),
    proven: measured ? proven : null,
  };
}

function shareNumbers(share: GoodShare | undefined) {
  return {
    n: share?.total ?? 0,
    nIndependent: share?.independent ?? 0,
    availability: share?.share ?? null,
    availabilityInterval: shareBounds(share),
  };
}

type Bounds = readonly [low: number | null, high: number | null];

function shareBounds(share: GoodShare | undefined): Bounds {
  return share ? [share.interval.low, share.interval.high] : [null, null];
}

/** Converts a sample to numbers, divided so that they are milliseconds. */
function sampleNumbers(sample: Percentiles | undefined, divisor: number) {
  const of = (p: number) => sample?.at.find((percentile) => percentile.p === p);
  const divide = (value: number | undefined): number | null => (value === undefined ? null : value / divisor);
  const value = (p: number): number | null => divide(of(p)?.value);
  const bounds = (p: number): Bounds => [divide(of(p)?.low), divide(of(p)?.high)];
  return {
    n: sample?.n ?? 0,
    ...{ p50: value(0.5), p95: value(0.95), p99: value(0.99) },
    ...{ p50Interval: bounds(0.5), p95Interval: bounds(0.95), p99Interval: bounds(0.99) },
  };
}

function freshnessNumbers(freshness: Freshness | undefined) {
  return { ...sampleNumbers(freshness?.percentiles, 1), max: freshness?.largest ?? null };
}

function keyNumbers({ key, newest, reserve, forecast }: KeyView) {
  return {
    key,
    at: isoOrNull(newest?.at),
    limit: newest?.limit ?? null,
    remaining: newest?.remaining ?? null,
    additionalTotal: newest?.additional ?? null,
    resetAt: isoOrNull(newest?.resetAt),
    reserve: newest ? reserve : null,
    forecast: {
      perDay: forecast?.perDay ?? null,
      plannedPerDay: forecast?.planned ?? null,
      lastDay: forecast?.lastDay ?? null,
      remainingAtReset: forecast?.leftAtReset ?? null,
      exhaustedAt: isoOrNull(forecast?.exhaustedAt),
      reserveReachedAt: isoOrNull(forecast?.reserveAt),
    },
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | undefined): string | null {
  return ms === undefined || Number.isNaN(new Date(ms).valueOf()) ? null : iso(ms);
}
