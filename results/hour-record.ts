import type { Phase } from '../contract/reading/exchange.ts';
import type { Indicator, lookedAtTwice, ProbeOutcome, ProbeSeries, SlotState } from './probe-record.ts';

/** How many samples fell into each bucket of planning's histogram; times in microseconds. */
export type SampleBuckets = Readonly<Record<number, number>>;

/**
 * Timings of the requests over new connections, or over kept ones: of those that were answered, in slots that were good
 * for availability. Confirming requests are left out.
 */
export type PhaseBuckets = Readonly<Partial<Record<Phase | 'total', SampleBuckets>>>;

/** Slots that were good and bad for an indicator. */
export type GoodBad = { readonly good: number; readonly bad: number };

/** An hour, or a day, of one series: what can be added to another hour of the same. */
export type HourRecord = {
  readonly series: ProbeSeries;
  /** Unix ms of its beginning. */
  readonly begin: number;
  readonly states: Readonly<Partial<Record<SlotState, number>>>;
  readonly outcomes: Readonly<Partial<Record<ProbeOutcome, number>>>;
  readonly indicators: Readonly<Partial<Record<Indicator, GoodBad>>>;
  /** The same by the first look alone; absent where an edition rolled it up that kept no such count. */
  readonly firstLook?: Readonly<Partial<Record<(typeof lookedAtTwice)[number], GoodBad>>>;
  readonly requests: number;
  readonly cold: PhaseBuckets;
  readonly warm: PhaseBuckets;
  /** From the planned instant to the answer's end, of the same requests; negative ones count as 0. */
  readonly sincePlanned: SampleBuckets;
  /** Of the newest candle, in ms, in the same slots; one of the future counts as 0. */
  readonly age: SampleBuckets;
  /** Earliest end of a served certificate, Unix ms. */
  readonly certificateEnd?: number;
  /** Rules at must that were broken, and in how many slots. */
  readonly rules: Readonly<Record<string, number>>;
  /** What made slots degraded, and how many: rules at should, and indicators whose objective was missed. */
  readonly degradedBy: Readonly<Record<string, number>>;
};
