import type { Phase } from '../contract/exchange.ts';
import type { Indicator, ProbeOutcome, Series, SlotState } from './probe-record.ts';

/** How many samples fell into each bucket of planning's histogram; times in microseconds. */
export type Buckets = Readonly<Record<number, number>>;

/**
 * Timings of the requests over new connections, or over kept ones: of those that were answered, in slots that were good
 * for availability. Confirming requests are left out.
 */
export type PhaseBuckets = Readonly<Partial<Record<Phase | 'total', Buckets>>>;

/** An hour, or a day, of one series: what can be added to another hour of the same. */
export type HourRecord = {
  readonly series: Series;
  /** Unix ms of its beginning. */
  readonly begin: number;
  readonly states: Readonly<Partial<Record<SlotState, number>>>;
  readonly outcomes: Readonly<Partial<Record<ProbeOutcome, number>>>;
  /** Outcomes before they were looked at a second time. */
  readonly rawOutcomes: Readonly<Partial<Record<ProbeOutcome, number>>>;
  readonly indicators: Readonly<Partial<Record<Indicator, { readonly good: number; readonly bad: number }>>>;
  readonly requests: number;
  readonly cold: PhaseBuckets;
  readonly warm: PhaseBuckets;
  /** From the planned instant to the answer's end, of the same requests; negative ones count as 0. */
  readonly sincePlanned: Buckets;
  /** Of the newest candle, in ms, in the same slots; one of the future counts as 0. */
  readonly age: Buckets;
  /** Earliest end of a served certificate, Unix ms. */
  readonly certificateEnd?: number;
  /** Rules at must that were broken, and in how many slots. */
  readonly rules: Readonly<Record<string, number>>;
};
