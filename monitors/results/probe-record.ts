import type { OperationId, PoolId } from '@candleproof/document/spec/spec';
import type { Phase, Timings } from '@candleproof/law/reading/exchange';

/** The series of a slot. Samples of two locations never make one figure. */
export type ProbeSeries = {
  readonly target: string;
  readonly probe: string;
  /** `all` for a probe that requests every operation. */
  readonly operation: OperationId | 'all';
  readonly location: string;
};

/**
 * The state of a planned instant: it ran, the run before was still going, nothing was running, the quota was kept,
 * the monitor was stopping, or the key's quota was not known yet.
 * Stores keep them by their order: new ones come last.
 */
export const slotStates = ['run', 'overlap', 'missed', 'quota-skipped', 'shutdown', 'quota-unknown'] as const;
export type SlotState = (typeof slotStates)[number];

/**
 * `limited` is our quota or key, `unknown` our monitor or an answer in which nothing could be judged, `excluded`
 * planned work: none of the three says anything of the service.
 */
export const probeOutcomes = ['ok', 'degraded', 'failed', 'limited', 'unknown', 'excluded'] as const;
export type ProbeOutcome = (typeof probeOutcomes)[number];

/**
 * The place of a probe's failure: on its way, by its status, or in the answer; `class` such as `timeout`, `503`, a
 * rule's id.
 */
export type ProbeFailure = { readonly phase: Phase | 'status' | 'contract'; readonly class: string };

/** One request of a probe. */
export type ProbeSample = {
  /** Departure in Unix ms. */
  readonly at: number;
  /** Over a separate connection; else over one that had carried a request before. */
  readonly cold: boolean;
  /** The confirmation of a failure. */
  readonly confirming: boolean;
  readonly pool?: PoolId;
  readonly status?: number;
  /** Milliseconds; a phase that did not happen is absent. */
  readonly timings: Timings;
  /** Milliseconds from the planned instant to the answer's end, without our delays. */
  readonly sincePlanned: number;
};

/**
 * One planned slot of a probe; times in Unix ms. It has no outcome if it did not run; an overlap has that of the run
 * that it came into, if that run failed.
 */
export type SlotRecord = {
  readonly series: ProbeSeries;
  readonly scheduledAt: number;
  readonly state: SlotState;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** As confirmed. */
  readonly outcome?: ProbeOutcome;
  /** The outcome of the first attempt, if a second one followed. */
  readonly rawOutcome?: ProbeOutcome;
  readonly failure?: ProbeFailure;
  /** The failure of the first attempt, if a second one followed. */
  readonly rawFailure?: ProbeFailure;
  /** The reason why the confirmation had no answer, if the first attempt was wrong and therefore counts. */
  readonly secondFailure?: ProbeFailure;
  /** Rules at must that were broken, known or not. */
  readonly rules: readonly string[];
  /** Causes of `degraded`: ids of rules at should, and indicators whose objective was missed. */
  readonly degradedBy?: readonly string[];
  /** Slower, or staler, than the objectives in force allowed; absent if there was none, or nothing was measured. */
  readonly slow?: boolean;
  readonly stale?: boolean;
  /** Age of the newest candle by the service's clock, in ms. */
  readonly age?: number;
  /** Last instant of the served certificate, Unix ms. */
  readonly certificateEnd?: number;
  /** Optional text: why it is unknown, why it was skipped. */
  readonly reason?: string;
  readonly samples: readonly ProbeSample[];
};

/** The indicators that objectives are set for. */
export const indicators = ['availability', 'latency', 'freshness', 'correctness'] as const;
export type Indicator = (typeof indicators)[number];

/**
 * Rates a slot by an indicator: good, bad, or undefined. Availability: an answer came as it has to. The other three
 * rate answers alone: as fast and as fresh as wanted, and without a broken must.
 */
export function rateIndicator(slot: SlotRecord, indicator: Indicator): 'good' | 'bad' | undefined {
  const { outcome, failure, slow, stale } = slot;
  if (outcome !== 'ok' && outcome !== 'degraded' && outcome !== 'failed') return undefined;
  const isAnswered = outcome !== 'failed' || failure?.phase === 'contract';
  if (indicator === 'availability') return isAnswered ? 'good' : 'bad';
  if (!isAnswered) return undefined;
  if (indicator === 'correctness') return outcome === 'failed' ? 'bad' : 'good';
  const isMissed = indicator === 'latency' ? slow : stale;
  return isMissed === undefined ? undefined : isMissed ? 'bad' : 'good';
}

/** Returns whether a probe looked at the target in this slot. */
export function isProbeRun(slot: SlotRecord): boolean {
  return rateIndicator(slot, 'availability') !== undefined;
}

/** Indicators that a second attempt can change. */
export const confirmedIndicators = ['availability', 'correctness'] as const satisfies readonly Indicator[];

/**
 * The slot by its first attempt alone. Where the monitor itself failed, that shows nothing either.
 */
export function unconfirmed({ rawOutcome, rawFailure, failure, ...slot }: SlotRecord): SlotRecord {
  const outcome = slot.outcome === 'unknown' ? 'unknown' : (rawOutcome ?? slot.outcome);
  const met = rawFailure ?? failure;
  return { ...slot, ...(outcome !== undefined && { outcome }), failure: met };
}

/** `timeout at wait`, `status 503`, or the rule that was broken. */
export function formatFailure({ phase, class: name }: ProbeFailure): string {
  if (phase === 'status') return `status ${name}`;
  if (phase === 'connect' && name === 'refused') return 'connection refused';
  return phase === 'contract' ? `breaks ${name}` : `${name} at ${phase}`;
}

/** Returns why a target refused us, by the status alone: a 429 does not mean that the month's quota is spent. */
export function formatLimit(samples: readonly ProbeSample[]): string {
  const refusal = samples.findLast(({ status }) => status !== undefined && status !== 200)?.status;
  return refusal === undefined || refusal === 429 ? 'rate limited (429)' : `the key was refused (${refusal})`;
}
