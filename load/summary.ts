import { sliceCount } from './bill.ts';
import {
  type CountedLoad,
  type CounterFamily,
  gaugeName,
  gauges,
  latencyFamily,
  outcomeFamily,
  outcomes,
  perSlice,
  sliceFamily,
  totalFamily,
  totals,
  valueName,
} from './counters.ts';
import type { LoadHistogram } from './histogram.ts';
import type { LoadFigures, LoadRun, LoadSegment, LoadTrial, SliceFigures } from './load-run.ts';
import { decideVerdict } from './verdict.ts';

/** The parts of k6's summary that are used. */
export type K6Summary = {
  readonly metrics: Readonly<
    Record<string, { readonly values: Readonly<Record<string, number>> } | undefined>
  >;
  readonly state: { readonly testRunDurationMs: number };
};

/** Returns the run of one process, as far as it can know it: nothing is judged yet. */
export function makeRun(trial: LoadTrial, counted: CountedLoad, segment: LoadSegment): LoadRun {
  const figures = readFigures(counted);
  const isFloor = (figures.quota?.remaining ?? Number.POSITIVE_INFINITY) <= (trial.floor ?? -1);
  const facts = { trial, parts: [segment], figures, ...(isFloor && { ended: 'floor' as const }) };
  return { format: 1, ...facts, ...decideVerdict(facts) };
}

/** Reads the counts of k6's summary. */
export function countedByK6({ metrics }: Pick<K6Summary, 'metrics'>): CountedLoad {
  return {
    dropped: metrics.dropped_iterations?.values.count ?? 0,
    read: (family, value) => metrics[valueName(family, value)]?.values.count ?? 0,
    readGauge: (name) => {
      const values = metrics[gaugeName(name)]?.values;
      return values && { value: values.value ?? 0, min: values.min ?? 0, max: values.max ?? 0 };
    },
  };
}

/** Returns `2/4` for k6's `1/4:1/2`; undefined for a whole run. */
export function segmentName(segment: string | null | undefined): string | undefined {
  if (!segment) return undefined;
  const [from = 0, to = 1] = segment.split(':').map((bound) => {
    const [part, of = 1] = bound.split('/').map(Number);
    return Number(part) / of;
  });
  const of = Math.round(1 / (to - from));
  return `${Math.round(from * of) + 1}/${of}`;
}

/** Returns the figures of one process; nothing is judged yet. */
export function readFigures(counted: CountedLoad): LoadFigures {
  const read = (family: CounterFamily, names: readonly string[]): Record<string, number> =>
    Object.fromEntries(names.map((name) => [name, counted.read(family, name)]));
  const readSlice = (slice: number): SliceFigures => {
    const family = sliceFamily(slice);
    const latency = family.values.flatMap((value) => {
      const [, bucket] = value.split('latency-');
      return bucket === undefined ? [] : [[bucket, counted.read(family, value)] as const];
    });
    const counts = read(family, perSlice) as Record<(typeof perSlice)[number], number>;
    return { ...counts, judged: 0, breached: 0, latency: positiveCounts(latency) };
  };
  return {
    ...(read(totalFamily, totals) as Record<(typeof totals)[number], number>),
    dropped: counted.dropped,
    outcomes: read(outcomeFamily, outcomes) as LoadFigures['outcomes'],
    ...{ judged: 0, judgingUs: 0, crashed: 0, breached: 0, rules: {} },
    latency: positiveCounts(Object.entries(read(latencyFamily, latencyFamily.values))),
    slices: Array.from({ length: sliceCount }, (_, slice) => readSlice(slice)),
    quota: readQuotaFigures(counted),
  };
}

function positiveCounts(counts: readonly (readonly [bucket: string, n: number])[]): LoadHistogram {
  return Object.fromEntries(counts.filter(([, n]) => n > 0));
}

function readQuotaFigures(counted: CountedLoad): LoadFigures['quota'] {
  const [limit, remaining, additional, reset] = gauges.map((name) => counted.readGauge(name));
  if (!limit || !remaining || !additional || !reset) return undefined;
  return {
    limit: limit.value,
    remaining: remaining.min,
    additional: additional.max,
    reset: reset.value,
  };
}
