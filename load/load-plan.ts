import type { TargetFacts } from '../contract/exchange.ts';
import type { OperationId } from '../contract/verdict.ts';
import type { Load } from './bill.ts';

/** One request of the mix, in words too. */
export type MixedRequest = {
  readonly operation: OperationId;
  /** What stands for its kind in the report, such as `HOUR, closed week`. */
  readonly kind: string;
  /** Path and query below the base URL. */
  readonly path: string;
};

/** Everything that the k6 script needs: plain JSON, without the key. */
export type LoadPlan = {
  readonly target: TargetFacts;
  readonly load: Load;
  /** No request with a number from here on: over all segments together. */
  readonly cap: number;
  /** The run ends where an answer tells that so few requests remain of the month. */
  readonly floor?: number;
  /** Asked in turn, all of them as often. */
  readonly mix: readonly MixedRequest[];
  /** Share of the answers that are judged, from 0 to 1. */
  readonly judgeShare: number;
  readonly timeoutMs: number;
  /** What takes longer is slow. */
  readonly slowMs: number;
  /** Most requests at once. */
  readonly vus: number;
  readonly userAgent: string;
  /** A packed spec as JSON of its own: only those who judge read it. */
  readonly spec: string;
};
