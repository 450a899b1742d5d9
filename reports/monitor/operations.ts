import { mergeAll } from '../../planning/histogram.ts';
import type { HourRecord, PhaseBuckets } from '../../results/hour-record.ts';
import type { Series } from '../../results/probe-record.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { type Percentiles, percentilesOf, type Share, shareOf } from './estimates.ts';
import { type Freshness, freshnessOf } from './freshness.ts';
import { type Totals, totalsOf } from './totals.ts';

export type OperationName = Series['operation'];
export type PhaseName = keyof PhaseBuckets;

/** In the order of the document, a probe of several operations last. */
export const operationNames: readonly OperationName[] = [
  'listTokens',
  'listV2PoolCandles',
  'getLatestV1PoolCandle',
  'all',
];

/** In the order in which they happen. */
export const phaseNames = ['dns', 'connect', 'tls', 'send', 'wait', 'receive', 'total'] as const;

/** Timings in microseconds, as they are stored. */
export type PhaseFigures = {
  readonly phase: PhaseName;
  readonly cold?: Percentiles;
  readonly warm?: Percentiles;
};

/** One operation of a watch over the judged days. */
export type OperationFigures = {
  readonly operation: OperationName;
  readonly probes: readonly string[];
  readonly totals: Totals;
  readonly availability?: Share;
  /** Before failures were looked at a second time. */
  readonly raw?: Share;
  readonly coverage?: Coverage;
  readonly cold?: Percentiles;
  readonly warm?: Percentiles;
  /** From the planned instant to the answer's end, in microseconds. */
  readonly sincePlanned?: Percentiles;
  readonly phases: readonly PhaseFigures[];
  readonly freshness?: Freshness;
};

/** `unbooked`: slots of an operation that were due and are in no record. */
export function operationsOf(
  records: readonly HourRecord[],
  unbooked: (operation: OperationName) => number,
): OperationFigures[] {
  const found = Map.groupBy(records, ({ series }) => series.operation);
  return operationNames.flatMap((operation) => {
    const own = found.get(operation);
    return own ? figuresOf(operation, own, unbooked(operation)) : [];
  });
}

function figuresOf(
  operation: OperationName,
  records: readonly HourRecord[],
  unbooked: number,
): OperationFigures {
  const totals = totalsOf(records);
  const isPassive = records.every(({ series }) => series.source === 'passive');
  const phases = phaseNames.flatMap((phase) => phaseFigures(records, phase) ?? []);
  const { cold, warm } = phases.find(({ phase }) => phase === 'total') ?? {};
  return {
    operation,
    probes: [...new Set(records.map(({ series }) => series.probe))].toSorted(),
    totals,
    availability: shareOf(totals.indicators.availability),
    raw: totals.firstLook && shareOf(totals.firstLook),
    coverage: isPassive ? undefined : coverageOf(totals, unbooked),
    cold,
    warm,
    sincePlanned: percentilesOf(mergeAll(records.map((each) => each.sincePlanned))),
    phases,
    freshness: freshnessOf(records),
  };
}

function phaseFigures(records: readonly HourRecord[], phase: PhaseName): PhaseFigures | undefined {
  const cold = percentilesOf(mergeAll(records.map((each) => each.cold[phase] ?? {})));
  const warm = percentilesOf(mergeAll(records.map((each) => each.warm[phase] ?? {})));
  return cold || warm ? { phase, cold, warm } : undefined;
}
