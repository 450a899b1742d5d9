import type { OperationId, PoolId } from '../../contract/document/spec.ts';
import type { Finding, Observation } from '../../contract/judge/verdict.ts';
import type { Level } from '../../contract/law/facts.ts';
import type { TargetFacts, TransportFailure } from '../../contract/reading/exchange.ts';
import type { PassedExchange, ReasonUnjudged, TimeSpan } from '../onlooker.ts';
import type { PassedQuota } from './passing-quotas.ts';
import type { Entry } from './window.ts';

export type ThreadPlan = {
  readonly specFile: string;
  readonly overlays?: readonly string[];
  readonly target: TargetFacts;
  /** Ids or groups of rules; all of them where left out. */
  readonly only?: readonly string[];
  readonly edition?: number;
  /** Memory of the thread beyond which it is started again, in MB: a hostile answer must not end the process. */
  readonly mostHeapMb?: number;
};

export type ToThread =
  | { readonly kind: 'passed'; readonly ordinal: number; readonly exchange: PassedExchange }
  | { readonly kind: 'missed'; readonly ordinal: number; readonly span: TimeSpan }
  /** A request got no answer for an unknown cause; of many one is reported. */
  | { readonly kind: 'unanswered'; readonly span: TimeSpan }
  /** Everything is to be judged by every rule, and answered when it was. The minute that runs ends where nothing more comes. */
  | { readonly kind: 'settle'; readonly request: number; readonly isEnd: boolean };

export type FromThread =
  /** Exchanges left the queue, some of them without a judgement. */
  | {
      readonly kind: 'done';
      readonly exchanges: number;
      readonly bytes: number;
      readonly unjudged: ReasonUnjudged[];
    }
  | { readonly kind: 'report'; readonly report: TrafficReport }
  | { readonly kind: 'quotas'; readonly quotas: readonly PassedQuota[] }
  | { readonly kind: 'settled'; readonly request: number };
/** The findings of one judging; `exchange` in it and its examples is the number of a passed exchange. */
export type Found = {
  readonly finding: Finding;
  /** Breaches in exchanges that none was counted in before. */
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
  /** Those that are over since the last report. */
  readonly minutes: readonly TrafficMinute[];
};

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
  /** Some requests got no answer for an unknown cause. */
  readonly isUnanswered: boolean;
};
