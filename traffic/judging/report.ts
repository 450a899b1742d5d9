import type { OperationId } from '../../contract/document/spec.ts';
import type { Finding, Observation } from '../../contract/judge/verdict.ts';
import type { TrafficMinute } from './traffic-minute.ts';
import type { Entry } from './window.ts';

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

/** The tally of one rule since the last report. */
export type TrafficTally = {
  readonly rule: string;
  readonly judged: number;
  readonly operations: readonly OperationId[];
  readonly undecided?: string;
  readonly crash?: string;
};

export type TrafficReport = {
  readonly found: readonly Found[];
  readonly tallies: readonly TrafficTally[];
  readonly observations: readonly Observation[];
  /** Those that are over since the last report. */
  readonly minutes: readonly TrafficMinute[];
};
