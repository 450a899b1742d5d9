import { sliceCount } from './bill.ts';
import {
  type CounterFamily,
  gaugeName,
  gauges,
  latencyFamily,
  outcomeFamily,
  outcomes,
  perSlice,
  ruleFamily,
  sliceFamily,
  totalFamily,
  valueName,
} from './counters.ts';
import type { LoadHistogram } from './histogram.ts';
import type { LoadFigures, LoadRun, LoadTrial, SliceFigures } from './load-run.ts';
import { decideVerdict } from './verdict.ts';

/** The parts of k6's summary that are used. */
export type K6Summary = {
  readonly metrics: Readonly<
    Record<string, { readonly values: Readonly<Record<string, number>> } | undefined>
  >;
  readonly state: { readonly testRunDurationMs: number };
};

/**
 * Returns the run of one k6 process, as far as it can know it; `rules` are the ids of those that it judged by, in their
 * order, `now` is in ms.
 */
export function makeRun(
  trial: LoadTrial,
  summary: K6Summary,
  { rules, segment, now }: { rules: readonly string[]; segment: string | undefined; now: number },
): LoadRun {
  const { metrics, state } = summary;
  const figures = readFigures(summary, rules);
  const k6Times = metrics.http_req_duration?.values;
  const part = {
    segment,
    own: k6Times,
    startedAt: new Date(now - state.testRunDurationMs).toISOString(),
    finishedAt: new Date(now).toISOString(),
  };
  const isFloor = (figures.quota?.remaining ?? Number.POSITIVE_INFINITY) <= (trial.floor ?? -1);
  const facts = { trial, parts: [part], figures, ...(isFloor && { ended: 'floor' as const }) };
  return { format: 1, ...facts, ...decideVerdict(facts) };
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

/** Reads the counts of one k6 process. */
export function readFigures({ metrics }: Pick<K6Summary, 'metrics'>, rules: readonly string[]): LoadFigures {
  const readCount = (family: CounterFamily, value: string): number =>
    metrics[valueName(family, value)]?.values.count ?? 0;
  const total = (value: string): number => readCount(totalFamily, value);
  const quota = readQuotaFigures({ metrics });
  const ofRules = ruleFamily(rules.length);
  return {
    sent: total('sent'),
    answers: total('answers'),
    checked: total('checked'),
    dropped: metrics.dropped_iterations?.values.count ?? 0,
    outcomes: Object.fromEntries(
      outcomes.map((outcome) => [outcome, readCount(outcomeFamily, outcome)]),
    ) as LoadFigures['outcomes'],
    judged: total('judged'),
    judgingUs: total('judging-us'),
    crashed: total('crashed'),
    breached: total('breached'),
    rules: positiveCounts(rules.map((id, index) => [id, readCount(ofRules, String(index))])),
    latency: positiveCounts(latencyFamily.values.map((value) => [value, readCount(latencyFamily, value)])),
    slices: Array.from({ length: sliceCount }, (_, slice) => readSlice(sliceFamily(slice), readCount)),
    quota,
  };
}

function readSlice(
  family: CounterFamily,
  counted: (family: CounterFamily, value: string) => number,
): SliceFigures {
  const readSliceCount = (value: string): number => counted(family, value);
  const buckets = family.values.filter((value) => value.startsWith('latency-'));
  const counts = Object.fromEntries(perSlice.map((name) => [name, readSliceCount(name)]));
  return {
    ...(counts as Record<(typeof perSlice)[number], number>),
    latency: positiveCounts(
      buckets.map((bucket) => [bucket.replace('latency-', ''), readSliceCount(bucket)]),
    ),
  };
}

function positiveCounts(
  counts: readonly (readonly [name: string, n: number])[],
): LoadHistogram & Record<string, number> {
  return Object.fromEntries(counts.filter(([, n]) => n > 0));
}

function readQuotaFigures({ metrics }: Pick<K6Summary, 'metrics'>): LoadFigures['quota'] {
  const [limit, remaining, additional, reset] = gauges.map((name) => metrics[gaugeName(name)]?.values);
  if (!limit || !remaining || !additional || !reset) return undefined;
  return {
    limit: limit.value ?? 0,
    remaining: remaining.min ?? 0,
    additional: additional.max ?? 0,
    reset: reset.value ?? 0,
  };
}
