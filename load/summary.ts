import {
  type Family,
  gaugeName,
  latencyFamily,
  outcomeFamily,
  outcomes,
  ruleFamily,
  sliceFamily,
  totalFamily,
  valueName,
} from './counters.ts';
import type { LoadHistogram } from './histogram.ts';
import type { LoadFigures, SliceFigures } from './load-run.ts';
import { sliceCount } from './slices.ts';

/** What k6 hands over at the end of a run, as far as it is of use. */
export type K6Summary = {
  readonly metrics: Readonly<
    Record<string, { readonly values: Readonly<Record<string, number>> } | undefined>
  >;
};

/** The figures of one k6 process; `rules` are the ids of those that it judged by, in their order. */
export function figuresOf({ metrics }: K6Summary, rules: readonly string[]): LoadFigures {
  const counted = (family: Family, value: string): number =>
    metrics[valueName(family, value)]?.values.count ?? 0;
  const total = (value: string): number => counted(totalFamily, value);
  const quota = quotaOf({ metrics });
  const ofRules = ruleFamily(rules.length);
  return {
    sent: total('sent'),
    answers: total('answers'),
    checked: total('checked'),
    dropped: metrics.dropped_iterations?.values.count ?? 0,
    outcomes: Object.fromEntries(
      outcomes.map((each) => [each, counted(outcomeFamily, each)]),
    ) as LoadFigures['outcomes'],
    judged: total('judged'),
    judgingUs: total('judging-us'),
    crashed: total('crashed'),
    breached: total('breached'),
    rules: above(rules.map((id, index) => [id, counted(ofRules, String(index))])),
    latency: above(latencyFamily.values.map((each) => [each, counted(latencyFamily, each)])),
    slices: Array.from({ length: sliceCount }, (_, slice) => sliceIn(sliceFamily(slice), counted)),
    ...(quota && { quota }),
  };
}

/** k6's own times of requests, in ms. */
export function ownTimes({ metrics }: K6Summary): Record<string, number> | undefined {
  return metrics.http_req_duration && { ...metrics.http_req_duration.values };
}

function sliceIn(family: Family, counted: (family: Family, value: string) => number): SliceFigures {
  const n = (value: string): number => counted(family, value);
  const buckets = family.values.filter((each) => each.startsWith('latency-'));
  return {
    sent: n('sent'),
    answers: n('answers'),
    errors: n('errors'),
    limited: n('limited'),
    slow: n('slow'),
    judged: n('judged'),
    breached: n('breached'),
    latency: above(buckets.map((each) => [each.replace('latency-', ''), n(each)])),
  };
}

function above(
  counts: readonly (readonly [name: string, n: number])[],
): LoadHistogram & Record<string, number> {
  return Object.fromEntries(counts.filter(([, n]) => n > 0));
}

function quotaOf({ metrics }: K6Summary): LoadFigures['quota'] {
  const [limit, remaining, additional, reset] = (['limit', 'remaining', 'additional', 'reset'] as const).map(
    (name) => metrics[gaugeName(name)]?.values,
  );
  if (!limit || !remaining || !additional || !reset) return undefined;
  return {
    limit: limit.value ?? 0,
    remaining: remaining.min ?? 0,
    additional: additional.max ?? 0,
    reset: reset.value ?? 0,
  };
}
