import type { QuotaHeaders } from '../contract/document/roles.ts';
import type { OperationId } from '../contract/document/spec.ts';
import type { Exchange, TargetFacts } from '../contract/reading/exchange.ts';
import type { LoadTrial } from './load-run.ts';

/** One request of the mix, with a description. */
export type MixedRequest = {
  readonly operation: OperationId;
  /** Description of its kind in the report, such as `HOUR, closed week`. */
  readonly kind: string;
  /** Path and query below the base URL. */
  readonly path: string;
};

/** Everything that the k6 script needs, as plain JSON without the key. */
export type LoadPlan = {
  /** The run, as reported. */
  readonly trial: LoadTrial;
  readonly target: TargetFacts;
  /** Maximum number of requests of all segments together. */
  readonly cap: number;
  /** Names of the quota headers. */
  readonly quota: QuotaHeaders;
  /** The header that carries the key. */
  readonly keyHeader: string;
  /** The text before the key in that header. */
  readonly keyPrefix: string;
  /** Requested in turn, equally often. */
  readonly mix: readonly MixedRequest[];
  readonly timeoutMs: number;
  /** Maximum number of concurrent requests. */
  readonly vus: number;
  readonly userAgent: string;
  /** A packed spec as JSON text, parsed only for judging. */
  readonly spec: string;
};

/** A message of the running script, one line of JSON on k6's console. */
export type LoadMessage =
  | { readonly kind: 'begun'; readonly startedAt: number; readonly protocol: string }
  | { readonly kind: 'progress'; readonly sent: number }
  | { readonly kind: 'breach'; readonly rules: readonly string[]; readonly exchange: Exchange };
