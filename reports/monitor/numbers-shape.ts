import type { Verdict } from '../../contract/judge/verdict.ts';
import type { Indicator } from '../../results/probe-record.ts';
import type { ObjectiveState } from './estimates.ts';
import type { WatchedOperation } from './operations.ts';
import type { Downtime } from './outages.ts';
import type { ReportedPlan } from './plan.ts';

export type Bounds = readonly [low: number | null, high: number | null];

/** A share of good slots, how many independent ones say as much, and its 95 % interval. */
export type ShareNumbers = {
  readonly n: number;
  readonly nIndependent: number;
  readonly availability: number | null;
  readonly availabilityInterval: Bounds;
};

/** A sample in milliseconds, and the 95 % intervals. */
export type SampleNumbers = {
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly p50Interval: Bounds;
  readonly p95Interval: Bounds;
  readonly p99Interval: Bounds;
};

export type FreshnessNumbers = SampleNumbers & { readonly max: number | null };

export type OperationNumbers = ShareNumbers & {
  readonly operation: WatchedOperation;
  readonly availabilityRaw: number | null;
  readonly coverage: number | null;
  readonly covered: number | null;
  /** Latency of every slot's first request, over a new connection; `warm` has those over kept connections. */
  readonly latency: SampleNumbers & { readonly warm: SampleNumbers; readonly sincePlanned: SampleNumbers };
  readonly freshness: FreshnessNumbers;
};

export type ObjectiveNumbers = {
  readonly indicator: Indicator;
  readonly objective: number;
  readonly under: number | null;
  readonly verdict: ObjectiveState;
  readonly n: number;
  readonly nIndependent: number;
  readonly measured: number | null;
  readonly interval: Bounds;
  readonly proven: number | null;
};

export type TargetNumbers = ShareNumbers & {
  readonly target: string;
  readonly location: string;
  readonly source: string;
  readonly availabilityRaw: number | null;
  /** The share of slots without a breach of the judged musts. */
  readonly correctness: number | null;
  /** Musts that the light probes judge, and musts that bind the target. */
  readonly mustsJudged: number | null;
  readonly musts: number | null;
  /** The newest conclusive one, and the musts that it found broken. */
  readonly deepRun: {
    readonly at: string;
    readonly verdict: Verdict;
    readonly rules: readonly string[];
  } | null;
  /** Planned instant of the newest slot that ran; whether that is two periods ago, or more. */
  readonly lastLook: string | null;
  readonly isUnseen: boolean;
  readonly coverage: number | null;
  /** The share of planned slots that other clients' traffic covered; they are part of the coverage. */
  readonly covered: number | null;
  /** From the first slot to the end of the last within the window, its share of that, and the slots that ran in it. */
  readonly watched: {
    readonly from: string;
    readonly to: string;
    readonly share: number;
    readonly coverage: number | null;
  } | null;
  readonly freshness: FreshnessNumbers;
  readonly certificateEnd: string | null;
  /**
   * Milliseconds without answers, for sure and at most, and for which nobody looked beside an outage; null where nobody
   * of ours requested.
   */
  readonly downtime: Downtime | null;
  readonly incidents: number;
  readonly objectives: readonly ObjectiveNumbers[];
  readonly operations: readonly OperationNumbers[];
};

export type KeyNumbers = {
  readonly key: string;
  readonly at: string | null;
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly additionalTotal: number | null;
  readonly resetAt: string | null;
  readonly reserve: number | null;
  readonly forecast: {
    /** The larger of what the plan takes and what the last 24 hours took. */
    readonly perDay: number | null;
    readonly plannedPerDay: number | null;
    readonly lastDay: number | null;
    readonly remainingAtReset: number | null;
    readonly exhaustedAt: string | null;
    readonly reserveReachedAt: string | null;
  };
};

/**
 * The output of `candleproof report --json`: instants in ISO 8601 UTC, times in ms, shares as fractions, null for
 * unknown.
 */
export type MonitorNumbers = {
  readonly generatedAt: string;
  readonly window: { readonly from: string; readonly to: string };
  readonly versions: ReportedPlan['versions'];
  readonly targets: readonly TargetNumbers[];
  readonly keys: readonly KeyNumbers[];
};
