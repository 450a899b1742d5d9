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

/** Counts for the whole run; `sampled` are answers that are kept to be judged. */
export const totals = ['sent', 'answers', 'checked', 'sampled'] as const;

/** Counts for every slice of a run. */
export const perSlice = ['sent', 'answers', 'errors', 'limited', 'slow'] as const;

/** Number of the run's latency buckets in one bucket of a slice, which covers a doubling. */
export const coarsely = 8;
const coarseCount = Math.floor((bucketCount - 1) / coarsely) + 1;

/** Values of which the last, the minimum and the maximum are kept. */
export const gauges = ['limit', 'remaining', 'additional', 'reset'] as const;

/**
 * A k6 counter with the values of its tag `of`. Counts add up over segments. There are few counters with many values,
 * because every virtual user has all counters, while a value costs nothing until it is counted.
 */
export type CounterFamily = { readonly counter: string; readonly values: readonly string[] };

export const totalFamily: CounterFamily = { counter: 'load_total', values: totals };
export const outcomeFamily: CounterFamily = { counter: 'load_outcome', values: outcomes };
export const latencyFamily: CounterFamily = { counter: 'load_latency', values: numbers(bucketCount) };

/** Returns the counter of a slice. */
export function sliceFamily(slice: number): CounterFamily {
  return {
    counter: `load_slice_${slice}`,
    values: [...perSlice, ...numbers(coarseCount).map((number) => `latency-${number}`)],
  };
}

type GaugeName = (typeof gauges)[number];

/** Receives counts: k6's counters, or those of a process of ours. */
export type LoadTally = {
  count(family: CounterFamily, value: string, n?: number): void;
  gauge(name: GaugeName, value: number): void;
};

type GaugeValues = { readonly value: number; readonly min: number; readonly max: number };

/** Gives the counts of a process back. */
export type CountedLoad = {
  /** Requests that were due while nobody was free to send them. */
  readonly dropped: number;
  read(family: CounterFamily, value: string): number;
  readGauge(name: GaugeName): GaugeValues | undefined;
};

/** The counts of one process, in memory. */
export class Counts implements LoadTally, CountedLoad {
  readonly #counts = new Map<string, number>();
  readonly #gauges = new Map<GaugeName, GaugeValues>();
  dropped = 0;

  count(family: CounterFamily, value: string, n = 1): void {
    this.#counts.set(valueName(family, value), this.read(family, value) + n);
  }

  read(family: CounterFamily, value: string): number {
    return this.#counts.get(valueName(family, value)) ?? 0;
  }

  gauge(name: GaugeName, value: number): void {
    const { min, max } = this.#gauges.get(name) ?? { min: value, max: value };
    this.#gauges.set(name, { value, min: Math.min(min, value), max: Math.max(max, value) });
  }

  readGauge(name: GaugeName): GaugeValues | undefined {
    return this.#gauges.get(name);
  }
}

/** Returns the name of a quota gauge. */
export function gaugeName(name: GaugeName): string {
  return `load_quota_${name}`;
}

/** Lists all counters of a run. */
export function listFamilies(): CounterFamily[] {
  const slices = numbers(sliceCount).map((number) => sliceFamily(Number(number)));
  return [totalFamily, outcomeFamily, latencyFamily, ...slices];
}

/** Returns the name of one value of a counter in k6's summary. */
export function valueName({ counter }: CounterFamily, value: string): string {
  return `${counter}{of:${value}}`;
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}
