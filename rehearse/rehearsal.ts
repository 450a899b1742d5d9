import type { Level, Outcome, Verdict } from '../contract/judge/verdict.ts';
import type { HeardExchange } from './heard.ts';

/** What a rehearsal found: rehearsal.json. Times are milliseconds since the client was started. */
export type Rehearsal = {
  readonly verdict: Verdict;
  /** In one sentence. */
  readonly reason: string;
  /** The key is never part of it. */
  readonly command: readonly string[];
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly seed: number;
  readonly forMs: number;
  readonly noOverage: boolean;
  readonly http: boolean;
  readonly scenarios: readonly PlayedScenario[];
  readonly versions: { readonly candleproof: string; readonly specSha256: string };
};

export type PlayedScenario = {
  readonly id: string;
  readonly title: string;
  readonly kind: 'control' | 'trouble' | 'wrong data';
  readonly verdict: Verdict;
  readonly reason: string;
  /** It is inconclusive for want of a flag, such as an expectation, not by what the client did. */
  readonly unasked?: true;
  /** Those that were heard, at most 5,000. */
  readonly requests: number;
  /** When the trouble began and ended, where one came about. */
  readonly trouble?: { readonly began: number; readonly ended?: number };
  /** Number of the first exchange whose answer held wrong data. */
  readonly wrong?: number;
  readonly client: ClientEnd;
  readonly rules: readonly JudgedClientRule[];
  /** `must` first, in the order of the rules. */
  readonly findings: readonly ClientFinding[];
  readonly expectations: readonly JudgedExpectation[];
  readonly observations: readonly {
    readonly id: string;
    readonly question: string;
    readonly answer: string;
  }[];
  /** The first of them, and all that findings name. */
  readonly exchanges: readonly ReportedExchange[];
  /** Files beside this one that hold what the client printed; absent where nothing was written. */
  readonly files?: { readonly stdout: string; readonly stderr: string };
};

/** How the client ended: by itself with a code, by a signal, or cut off after its time. */
export type ClientEnd = {
  readonly how: 'exited' | 'signalled' | 'cut';
  readonly code?: number;
  readonly signal?: string;
  readonly at: number;
  /** First lines of what it printed on stderr, where it sent nothing. */
  readonly stderr?: string;
};

export type JudgedClientRule = {
  readonly id: string;
  readonly level: Exclude<Level, 'observe'>;
  readonly statement: string;
  readonly why: string;
  readonly exactly: string;
  readonly outcome: Extract<Outcome, 'passed' | 'failed' | 'unexercised'>;
  /** Exchanges judged. */
  readonly evidence: number;
  readonly reason?: string;
};

/** All breaches of one rule in one scenario. */
export type ClientFinding = {
  readonly rule: string;
  readonly level: Exclude<Level, 'observe'>;
  readonly count: number;
  readonly expected: string;
  readonly actual: string;
  /** Number of the first exchange that breaks it. */
  readonly exchange: number;
  /** Number of the one that it follows from, such as a refusal. */
  readonly since?: number;
};

/** What the caller expected of the client. */
export type JudgedExpectation = {
  /** As it was given, without the scenario. */
  readonly what: string;
  readonly outcome: Extract<Outcome, 'passed' | 'failed' | 'unexercised'>;
  readonly actual: string;
};

/** An exchange as the report shows it. */
export type ReportedExchange = Omit<HeardExchange, 'sha256' | 'keyPlaces'>;
