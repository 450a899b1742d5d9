import type { Outcome, Verdict } from '@candleproof/law/judge/verdict';
import type { Level } from '@candleproof/law/rules/facts';
import type { ClientExchange } from './client-exchange.ts';

/** The result of a rehearsal; rehearsal.json. Times are milliseconds since the client was started. */
export type Rehearsal = {
  readonly verdict: Verdict;
  /** The verdict's reason, in one sentence. */
  readonly reason: string;
  /** Never contains the key. */
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
  /** Inconclusive because a flag is missing, such as an expectation, and not because of the client. */
  readonly unasked?: true;
  /** Number of recorded requests, at most 5,000. */
  readonly requests: number;
  /** Start and end of the trouble, if it occurred. */
  readonly trouble?: { readonly began: number; readonly ended?: number };
  /** Number of the first exchange whose answer had wrong data. */
  readonly wrong?: number;
  readonly client: ClientEnd;
  readonly rules: readonly JudgedClientRule[];
  /** `must` first, then in the order of the rules. */
  readonly findings: readonly ClientFinding[];
  readonly expectations: readonly JudgedExpectation[];
  readonly observations: readonly {
    readonly id: string;
    readonly question: string;
    readonly answer: string;
  }[];
  /** The first exchanges, and all that findings refer to. */
  readonly exchanges: readonly ReportedExchange[];
  /** Files with the client's output, beside this one; absent without output. */
  readonly files?: { readonly stdout: string; readonly stderr: string };
};

/** The end of the client: exited with a code, ended by a signal, or cut off after its time. */
export type ClientEnd = {
  readonly how: 'exited' | 'signalled' | 'cut';
  readonly code?: number;
  readonly signal?: string;
  readonly at: number;
  /** First lines of stderr, if the client sent nothing. */
  readonly stderr?: string;
};

export type JudgedClientRule = {
  readonly id: string;
  readonly level: Exclude<Level, 'observe'>;
  readonly statement: string;
  readonly why: string;
  readonly exactly: string;
  readonly outcome: Extract<Outcome, 'passed' | 'failed' | 'unexercised'>;
  /** Number of judged exchanges. */
  readonly evidence: number;
  readonly reason?: string;
};

/** The breaches of one rule in one scenario. */
export type ClientFinding = {
  readonly rule: string;
  readonly level: Exclude<Level, 'observe'>;
  readonly count: number;
  readonly expected: string;
  readonly actual: string;
  /** Number of the first exchange that breaks the rule. */
  readonly exchange: number;
  /** Number of the exchange that the breach follows from, such as a refusal. */
  readonly since?: number;
};

/** An expectation of the caller with its outcome. */
export type JudgedExpectation = {
  /** The expectation as given, without the scenario. */
  readonly what: string;
  readonly outcome: Extract<Outcome, 'passed' | 'failed' | 'unexercised'>;
  readonly actual: string;
};

/** An exchange in the report. */
export type ReportedExchange = Omit<ClientExchange, 'sha256' | 'keyPlaces'>;
