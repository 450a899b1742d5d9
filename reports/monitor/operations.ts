import { mergeAll } from '../../planning/histogram.ts';
import { type HourRecord, type PhaseBuckets, timed } from '../../results/hour-record.ts';
import type { ProbeSeries } from '../../results/probe-record.ts';
import type { SeriesExtent, Span } from '../../results/results-store.ts';
import { type Coverage, measureCoverage } from './coverage.ts';
import {
  estimatePercentiles,
  estimateShare,
  type Freshness,
  type GoodShare,
  measureFreshness,
  type Percentiles,
} from './estimates.ts';
import { addTotals, type Totals } from './totals.ts';
import { measureWatched } from './watches.ts';

export type WatchedOperation = ProbeSeries['operation'];

/** In the order of their names, a probe of several operations last. */
export function operationNames(all: Iterable<WatchedOperation>): WatchedOperation[] {
  return [...new Set(all)].sort((a, b) => Number(a === 'all') - Number(b === 'all') || (a < b ? -1 : 1));
}

/** Timings in microseconds, as they are stored. */
export type PhaseFigures = {
  readonly phase: keyof PhaseBuckets;
  readonly cold?: Percentiles | undefined;
  readonly warm?: Percentiles | undefined;
};

/** One operation of a watch over the judged days. */
export type OperationFigures = {
  readonly operation: WatchedOperation;
  readonly probes: readonly string[];
  readonly totals: Totals;
  readonly availability?: GoodShare | undefined;
  /** Before failures were looked at a second time. */
  readonly raw?: GoodShare | undefined;
  readonly coverage?: Coverage | undefined;
  readonly cold?: Percentiles | undefined;
  readonly warm?: Percentiles | undefined;
  /** From the planned instant to the answer's end, in microseconds. */
  readonly sincePlanned?: Percentiles | undefined;
  readonly phases: readonly PhaseFigures[];
  readonly freshness?: Freshness | undefined;
};

/** The span of the figures, the end of each series, and the outages that held the slots without an answer. */
export type Judging = {
  readonly window: Span;
  readonly extents: readonly SeriesExtent[];
  readonly outages: number;
};

/** Returns the figures of every operation. */
export function listOperationFigures(records: readonly HourRecord[], judging: Judging): OperationFigures[] {
  const found = Map.groupBy(records, ({ series }) => series.operation);
  return operationNames(found.keys()).flatMap((operation) => {
    const hours = found.get(operation);
    return hours ? operationFigures(operation, hours, judging) : [];
  });
}

/** As confirmed, and by first attempts alone: what those add was over at the confirmation. */
export function countAvailability(
  { indicators, firstLook }: Totals,
  outages: number,
): Pick<OperationFigures, 'availability' | 'raw'> {
  const { availability } = indicators;
  const blips = Math.max(0, (firstLook?.bad ?? 0) - availability.bad);
  return {
    availability: estimateShare(availability, outages),
    ...(firstLook && { raw: estimateShare(firstLook, outages + blips) }),
  };
}

function operationFigures(
  operation: WatchedOperation,
  records: readonly HourRecord[],
  { window, extents, outages }: Judging,
): OperationFigures {
  const totals = addTotals(records);
  const isPassive = records.every(({ series }) => series.source === 'passive');
  const operationExtents = extents.filter(({ series }) => series.operation === operation);
  const phases = timed.flatMap((phase) => phaseFigures(records, phase) ?? []);
  const { cold, warm } = phases.find(({ phase }) => phase === 'total') ?? {};
  return {
    operation,
    probes: [...new Set(records.map(({ series }) => series.probe))].toSorted(),
    totals,
    ...countAvailability(totals, outages),
    coverage: isPassive
      ? undefined
      : measureCoverage(totals, measureWatched(window, operationExtents, records)?.share),
    cold,
    warm,
    sincePlanned: estimatePercentiles(mergeAll(records.map((record) => record.sincePlanned))),
    phases,
    freshness: measureFreshness(records),
  };
}

function phaseFigures(records: readonly HourRecord[], phase: keyof PhaseBuckets): PhaseFigures | undefined {
  const cold = estimatePercentiles(mergeAll(records.map((record) => record.cold[phase] ?? {})));
  const warm = estimatePercentiles(mergeAll(records.map((record) => record.warm[phase] ?? {})));
  return cold || warm ? { phase, cold, warm } : undefined;
}
