import type { OperationId } from '../contract/document/spec.ts';
import type { Verdict } from '../contract/judge/verdict.ts';
import type { Load } from './bill.ts';
import type { LoadOutcome } from './counters.ts';
import type { LoadHistogram } from './histogram.ts';

/** What was counted in one slice of a run; `latency` has one bucket for each doubling. */
export type SliceFigures = {
  readonly sent: number;
  readonly answers: number;
  /** Answers and failures that are neither a success nor a 429. */
  readonly errors: number;
  readonly limited: number;
  /** Took longer than `slowMs` from the instant at which they were due. */
  readonly slow: number;
  readonly judged: number;
  readonly breached: number;
  readonly latency: LoadHistogram;
};

/** All that adds up over the segments of a run. */
export type LoadFigures = {
  readonly sent: number;
  readonly answers: number;
  /** Requests whose end was looked at: as many as were sent, unless the script or the run broke off. */
  readonly checked: number;
  /** Not sent, because nobody was free to send them. */
  readonly dropped: number;
  readonly outcomes: Readonly<Record<LoadOutcome, number>>;
  readonly judged: number;
  /** Microseconds of judging, by the clock. */
  readonly judgingUs: number;
  readonly crashed: number;
  readonly breached: number;
  /** Judged answers that broke a rule, by its id; rules that none broke are left out. */
  readonly rules: Readonly<Record<string, number>>;
  /** Microseconds from the instant at which each request was due. */
  readonly latency: LoadHistogram;
  readonly slices: readonly SliceFigures[];
  /** The key's month by the answers: the least that remained, the most beyond it; absent where none reported. */
  readonly quota?: {
    readonly limit: number;
    readonly remaining: number;
    readonly additional: number;
    readonly reset: number;
  };
};

/** One k6 process's share of a run: what does not add up. */
export type LoadPart = {
  /** Such as `1/4`; absent for the whole. */
  readonly segment?: string;
  /** Its version; the script itself does not know it. */
  readonly k6?: string;
  readonly protocol?: string;
  /** k6's own times of requests in ms, from when they left. */
  readonly own?: Readonly<Record<string, number>>;
  /** Highest share of all cores that k6 took over two seconds; absent where nobody measured. */
  readonly cpu?: number;
  /** MiB of memory at which k6 was ended, where the answers took too much. */
  readonly endedAtMemory?: number;
  readonly startedAt: string;
  readonly finishedAt: string;
};

/** Objectives that a run is held to, as fractions and ms. */
export type Thresholds = {
  readonly availability?: number;
  readonly latency?: { readonly objective: number; readonly underMs: number };
};

export type LoadTrial = {
  readonly scenario: string;
  readonly load: Load;
  /** Requests of the whole load, all segments together; `budget` has the look ahead besides. */
  readonly bill: number;
  readonly budget: number;
  /** Whose bill it belongs to, where several machines share one. */
  readonly grant?: string;
  readonly target: { readonly name: string; readonly baseUrl: string };
  readonly mix: readonly { readonly operation: OperationId; readonly kind: string; readonly share: number }[];
  /** Share of the answers that are judged, from 0 to 1. */
  readonly judgeShare: number;
  /** It ends where an answer tells that so few requests remain of the month. */
  readonly floor?: number;
  /** What takes longer is slow. */
  readonly slowMs: number;
  readonly thresholds: Thresholds;
  readonly command: string;
  readonly versions: {
    readonly candleproof: string;
    readonly catalogue: number;
    readonly specSha256: string;
  };
};

/** Why a load run is what it is; every sentence for a reader. */
export type LoadVerdict = {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
  readonly rightUnderLoad: 'passed' | 'failed' | 'unexercised';
  /** Where something gave way first: the rate at that moment, requests a second. */
  readonly breakpoint?: {
    readonly by: 'latency' | 'errors' | 'generator';
    readonly perSecond: number;
    readonly atSeconds: number;
  };
  /** The offered rate at which the first wrong answer was seen. */
  readonly wrongFrom?: { readonly perSecond: number; readonly atSeconds: number };
};

/** The content of load.json. */
export type LoadRun = LoadVerdict & {
  readonly format: 1;
  readonly trial: LoadTrial;
  readonly parts: readonly LoadPart[];
  readonly figures: LoadFigures;
  /** How it ended before its time, if it did. */
  readonly ended?: 'floor' | 'interrupted' | 'killed';
};
