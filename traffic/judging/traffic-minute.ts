import type { OperationId, PoolId } from '../../contract/document/spec.ts';
import type { Level } from '../../contract/law/facts.ts';
import type { TransportFailure } from '../../contract/reading/exchange.ts';

/** A minute of judged traffic of an operation. */
export type OperationMinute = {
  readonly operation: OperationId;
  /** Answers that were judged. */
  readonly passed: number;
  /** The kinds of endings, each once. */
  readonly endings: readonly Ending[];
  /** Rules that were seen broken, each once. */
  readonly broken: readonly BrokenRule[];
  /** Drawn from those that passed, each with the same chance. */
  readonly samples: readonly PassedSample[];
  /** Age of the newest candle in answers that ask for it, by the service's clock, in ms; the stalest. */
  readonly age?: number;
};

export type Ending = { readonly status?: number; readonly failure?: TransportFailure };

export type BrokenRule = { readonly rule: string; readonly level: Level };

/** Departure in Unix ms, and ms until the answer's end. */
export type PassedSample = {
  readonly at: number;
  readonly totalMs: number;
  readonly pool?: PoolId;
  readonly status?: number;
};

/** A minute in which traffic was judged, or got no answer; it is over, and comes once. */
export type TrafficMinute = {
  /** Unix ms: its answers ended in the minute that begins here. */
  readonly begin: number;
  readonly operations: readonly OperationMinute[];
  /** Some requests got no answer, and nobody knows through whose fault. */
  readonly isUnanswered: boolean;
};
