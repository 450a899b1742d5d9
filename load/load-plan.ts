import type { QuotaHeaders } from '../contract/document/roles.ts';
import type { OperationId } from '../contract/document/spec.ts';
import type { TargetFacts } from '../contract/reading/exchange.ts';
import type { LoadTrial } from './load-run.ts';

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
  /** What is run, as its report tells it. */
  readonly trial: LoadTrial;
  readonly target: TargetFacts;
  /** No request with a number from here on: over all segments together. */
  readonly cap: number;
  /** What the quota headers are called. */
  readonly quota: QuotaHeaders;
  /** The header that carries the key. */
  readonly keyHeader: string;
  /** Requested in turn, all of them as often. */
  readonly mix: readonly MixedRequest[];
  readonly timeoutMs: number;
  /** Most requests at once. */
  readonly vus: number;
  readonly userAgent: string;
  /** A packed spec as JSON of its own: only those who judge read it. */
  readonly spec: string;
};
