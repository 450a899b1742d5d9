import type { OperationId } from '@candleproof/document/spec/spec';
import type { Finding, Observation } from '@candleproof/law/judge/verdict';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import type { PassedExchange, ReasonUnjudged, TimeSpan } from '../traffic-observer.ts';
import type { PassedQuota } from './passing-quotas.ts';
import type { Entry } from './window.ts';

export type ThreadPlan = {
  readonly specFile: string;
  readonly overlays?: readonly string[];
  readonly target: TargetFacts;
  /** Ids or groups of rules; all of them by default. */
  readonly only?: readonly string[];
  /** Memory of the thread in MB beyond which it is restarted: a hostile answer must not end the process. */
  readonly mostHeapMb?: number;
};

export type ToThread =
  | { readonly kind: 'passed'; readonly ordinal: number; readonly exchange: PassedExchange }
  | { readonly kind: 'missed'; readonly ordinal: number; readonly span: TimeSpan }
  /** Requests that everything be judged by every rule, with a reply afterward. With `isEnd`, nothing more will pass. */
  | { readonly kind: 'settle'; readonly request: number; readonly isEnd: boolean };

export type FromThread =
  /** Exchanges left the queue, some of them unjudged. */
  | {
      readonly kind: 'done';
      readonly exchanges: number;
      readonly bytes: number;
      readonly unjudged: ReasonUnjudged[];
    }
  | { readonly kind: 'report'; readonly report: TrafficReport }
  | { readonly kind: 'quotas'; readonly quotas: readonly PassedQuota[] }
  | { readonly kind: 'settled'; readonly request: number };
/** The findings of one evaluation; `exchange` in it and its examples is an ordinal: a number since the proxy started. */
export type Found = {
  readonly finding: Finding;
  /** Breaches in exchanges that were not counted before. */
  readonly count: number;
  /** When the first and the last of those exchanges were requested, ISO 8601 in UTC. */
  readonly first: string;
  readonly last: string;
  /** Exchanges of its examples. */
  readonly entries: readonly Entry[];
};

export type TrafficTally = {
  readonly rule: string;
  readonly judged: number;
  readonly operations: readonly OperationId[];
  readonly undecided?: string | undefined;
  readonly crash?: string | undefined;
};

export type TrafficReport = {
  readonly found: readonly Found[];
  readonly tallies: readonly TrafficTally[];
  readonly observations: readonly Observation[];
};
