import { sliceCount } from './bill.ts';
import { bucketCount } from './histogram.ts';

/** Outcomes of requests. `limited` is a 429, `overage` a success beyond the key's monthly quota. */
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

/** Counts for the whole run. */
export const totals = ['sent', 'answers', 'checked', 'judged', 'judging-us', 'crashed', 'breached'] as const;

/** Counts for every slice of a run. */
export const perSlice = ['sent', 'answers', 'errors', 'limited', 'slow', 'judged', 'breached'] as const;

/** Number of the run's latency buckets in one bucket of a slice, which covers a doubling. */
export const coarsely = 8;
const coarseCount = Math.floor((bucketCount - 1) / coarsely) + 1;

/** Values of which k6 keeps the last, the minimum and the maximum. */
export const gauges = ['limit', 'remaining', 'additional', 'reset'] as const;

/**
 * A k6 counter with the values of its tag `of`. Counts add up over segments. There are few counters with many values,
 * because every virtual user has all counters, while a value costs nothing until it is counted.
 */
export type CounterFamily = { readonly counter: string; readonly values: readonly string[] };

export const totalFamily: CounterFamily = { counter: 'load_total', values: totals };
export const outcomeFamily: CounterFamily = { counter: 'load_outcome', values: outcomes };
export const latencyFamily: CounterFamily = { counter: 'load_latency', values: numbers(bucketCount) };

/** Returns the counter of broken rules, by index. */
export function ruleFamily(rules: number): CounterFamily {
  return { counter: 'load_rule', values: numbers(rules) };
}

/** Returns the counter of a slice. */
export function sliceFamily(slice: number): CounterFamily {
  return {
    counter: `load_slice_${slice}`,
    values: [...perSlice, ...numbers(coarseCount).map((number) => `latency-${number}`)],
  };
}

/** Returns the name of a quota gauge. */
export function gaugeName(name: (typeof gauges)[number]): string {
  return `load_quota_${name}`;
}

/** Lists all counters of a run with a number of rules. */
export function listFamilies(rules: number): CounterFamily[] {
  const slices = numbers(sliceCount).map((number) => sliceFamily(Number(number)));
  return [totalFamily, outcomeFamily, latencyFamily, ruleFamily(rules), ...slices];
}

/** Returns the name of one value of a counter in k6's summary. */
export function valueName({ counter }: CounterFamily, value: string): string {
  return `${counter}{of:${value}}`;
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}
