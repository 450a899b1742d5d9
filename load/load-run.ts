import type { QuotaHeaders } from '@candleproof/document/spec/roles';
import type { OperationId } from '@candleproof/document/spec/spec';
import type { Verdict } from '@candleproof/law/judge/verdict';
import type { Exchange, TargetFacts } from '@candleproof/law/reading/exchange';
import type { Load } from './bill.ts';
import type { LoadOutcome } from './counters.ts';
import type { LoadHistogram } from './histogram.ts';

/** Counts of one slice of a run; `latency` has one bucket per doubling. */
export type SliceFigures = {
  readonly sent: number;
  readonly answers: number;
  /** Answers and failures that are neither a success nor a 429. */
  readonly errors: number;
  readonly limited: number;
  /** Requests that took longer than `slowMs` from the time at which they were due. */
  readonly slow: number;
  readonly judged: number;
  readonly breached: number;
  readonly latency: LoadHistogram;
};

/** Counts that add up over the segments of a run. */
export type LoadFigures = {
  readonly sent: number;
  readonly answers: number;
  /** Requests whose end was processed: all that were sent, unless the script or run was interrupted. */
  readonly checked: number;
  /** Requests not sent because no virtual user was free. */
  readonly dropped: number;
  readonly outcomes: Readonly<Record<LoadOutcome, number>>;
  /** Answers that were kept to be judged. */
  readonly sampled: number;
  readonly judged: number;
  /** Wall time of judging in microseconds. */
  readonly judgingUs: number;
  readonly crashed: number;
  readonly breached: number;
  /** Number of judged answers that broke a rule, by its id; only rules that were broken. */
  readonly rules: Readonly<Record<string, number>>;
  /** Microseconds from the time at which a request was due. */
  readonly latency: LoadHistogram;
  readonly slices: readonly SliceFigures[];
  /** The key's quota by the answers: minimum remaining, maximum beyond it; absent if no answer reported it. */
  readonly quota?: {
    readonly limit: number;
    readonly remaining: number;
    readonly additional: number;
    readonly reset: number;
  };
};

export type LoadEngine = 'embedded' | 'k6';

/** Facts about one segment of a run, which one process sent; unlike its counts they do not add up. */
export type LoadSegment = {
  /** Such as `1/4`; absent for a run that was not split. */
  readonly segment?: string;
  /** The sender, such as `k6 2.2.0`; the script does not know its version. */
  readonly engine: string;
  readonly protocol?: string;
  /** Request times in ms, from when requests were sent, by k6's names. */
  readonly own?: Readonly<Record<string, number>>;
  /** Delays of requests behind the instants at which they were due, in ms; k6 does not report them. */
  readonly late?: Readonly<Record<string, number>>;
  /** Highest share over two seconds of all cores that k6 used, or of one by the embedded engine; absent if not measured. */
  readonly cpu?: number;
  /** MiB of memory at which k6 was ended, if the answers took too much. */
  readonly endedAtMemory?: number;
  readonly startedAt: string;
  readonly finishedAt: string;
};

/** Objectives of a run, as fractions and ms. */
export type Thresholds = {
  readonly availability?: number;
  readonly latency?: { readonly objective: number; readonly underMs: number };
};

export type LoadTrial = {
  readonly scenario: string;
  readonly engine: LoadEngine;
  readonly load: Load;
  /** Requests of the whole load, all segments together; `budget` includes the trial request. */
  readonly bill: number;
  readonly budget: number;
  /** Grant that several machines share. */
  readonly grant?: string;
  readonly target: { readonly name: string; readonly baseUrl: string };
  readonly mix: readonly { readonly operation: OperationId; readonly kind: string; readonly share: number }[];
  /** Share of answers to judge, from 0 to 1. */
  readonly judgeShare: number;
  /** Remaining requests of the month at which the run ends. */
  readonly floor?: number;
  /** Time in ms above which a request is slow. */
  readonly slowMs: number;
  readonly thresholds: Thresholds;
  readonly command: string;
  readonly versions: {
    readonly candleproof: string;
    readonly catalogue: string;
    readonly specSha256: string;
  };
};

/** The verdict of a load run, with reasons in sentences. */
export type LoadVerdict = {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
  readonly rightUnderLoad: 'passed' | 'failed' | 'unexercised';
  /** The first slice in which the target or generator broke down, with its rate in requests a second. */
  readonly breakpoint?: {
    readonly by: 'latency' | 'errors' | 'generator';
    readonly perSecond: number;
    readonly atSeconds: number;
  };
  /**
   * The highest rate in requests a second at which answers were right and fast, below every rate at which something gave
   * way; `isHighest` if nothing did at any rate that was offered.
   */
  readonly sustained?: { readonly perSecond: number; readonly isHighest: boolean };
  /** The offered rate at the first wrong answer. */
  readonly wrongFrom?: { readonly perSecond: number; readonly atSeconds: number };
};

/** The content of load.json. */
export type LoadRun = LoadVerdict & {
  readonly format: 1;
  readonly trial: LoadTrial;
  /** The segments; a run that was not split has one. */
  readonly parts: readonly LoadSegment[];
  readonly figures: LoadFigures;
  readonly ended?: 'floor' | 'interrupted' | 'killed';
};

/** One request of the mix, with a description. */
export type MixedRequest = {
  readonly operation: OperationId;
  /** Description of its kind in the report, such as `HOUR, closed week`. */
  readonly kind: string;
  /** Path and query below the base URL. */
  readonly path: string;
};

/** Everything that a generator needs, as plain JSON without the key. */
export type LoadPlan = {
  readonly trial: LoadTrial;
  readonly target: TargetFacts;
  /** Maximum number of requests of all segments together. */
  readonly cap: number;
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
};

/** One answer to judge after the load; `index` is the number of its request. */
export type LoadSample = { readonly index: number; readonly exchange: Exchange };

/** A message of a running generator; for k6, one line of JSON on its console. */
export type LoadMessage =
  | {
      readonly kind: 'begun';
      readonly startedAt: number;
      readonly protocol: string;
      readonly target: TargetFacts;
    }
  | { readonly kind: 'progress'; readonly sent: number }
  | ({ readonly kind: 'sample' } & LoadSample);
