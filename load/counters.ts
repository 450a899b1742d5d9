import { bucketCount } from './histogram.ts';
import { sliceCount } from './slices.ts';

/** How a request ended; `limited` is a 429, `overage` a success that is counted beyond the key's month. */
export const outcomes = [
  'ok',
  'overage',
  'limited',
  'refused',
  'server-error',
  'timeout',
  'connection',
] as const;

export type LoadOutcome = (typeof outcomes)[number];

/** What is counted once for the whole run. */
export const totals = ['sent', 'answers', 'checked', 'judged', 'judging-us', 'crashed', 'breached'] as const;

/** What is counted for each slice of it. */
export const perSlice = ['sent', 'answers', 'errors', 'limited', 'slow', 'judged', 'breached'] as const;

/** A slice's latencies have one bucket for each doubling: a union of eight of the run's. */
export const coarsely = 8;
const coarseCount = Math.floor((bucketCount - 1) / coarsely) + 1;

/** What k6 keeps the last, the least and the most of. */
export const gauges = ['limit', 'remaining', 'additional', 'reset'] as const;

/**
 * A counter of k6's with the values of its tag `of`. What it holds adds up over segments. Few counters with many values:
 * each virtual user has all counters, while a value costs nothing until it is counted.
 */
export type CounterFamily = { readonly counter: string; readonly values: readonly string[] };

export const totalFamily: CounterFamily = { counter: 'load_total', values: totals };
export const outcomeFamily: CounterFamily = { counter: 'load_outcome', values: outcomes };
export const latencyFamily: CounterFamily = { counter: 'load_latency', values: numbers(bucketCount) };

export function ruleFamily(rules: number): CounterFamily {
  return { counter: 'load_rule', values: numbers(rules) };
}

export function sliceFamily(slice: number): CounterFamily {
  return {
    counter: `load_slice_${slice}`,
    values: [...perSlice, ...numbers(coarseCount).map((number) => `latency-${number}`)],
  };
}

export function gaugeName(name: (typeof gauges)[number]): string {
  return `load_quota_${name}`;
}

/** All counters of a run that judges by so many rules. */
export function familiesOf(rules: number): CounterFamily[] {
  const slices = numbers(sliceCount).map((number) => sliceFamily(Number(number)));
  return [totalFamily, outcomeFamily, latencyFamily, ruleFamily(rules), ...slices];
}

/** As k6's summary names one value of a counter. */
export function valueName({ counter }: CounterFamily, value: string): string {
  return `${counter}{of:${value}}`;
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}
