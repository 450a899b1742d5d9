import type { TargetFacts } from '../../contract/reading/exchange.ts';
import type { PassedExchange, ReasonUnjudged, TimeSpan } from '../onlooker.ts';
import type { PassedQuota } from './passing-quotas.ts';
import type { TrafficReport } from './report.ts';

/** The data that the thread starts with. */
export type ThreadPlan = {
  readonly specFile: string;
  /** Overlays of the document. */
  readonly overlays?: readonly string[];
  readonly target: TargetFacts;
  /** Ids or groups of rules; all of them where left out. */
  readonly only?: readonly string[];
  readonly edition?: number;
};

export type ToThread =
  | { readonly kind: 'passed'; readonly ordinal: number; readonly exchange: PassedExchange }
  | { readonly kind: 'missed'; readonly ordinal: number; readonly span: TimeSpan }
  /** A request got no answer, and nobody knows through whose fault; of many one is reported. */
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
