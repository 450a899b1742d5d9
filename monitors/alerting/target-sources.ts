import type { Definition } from '../plan/definition.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import { BurnSource } from './burn.ts';
import { type CoverageState, TargetCoverage } from './coverage-conditions.ts';
import { FirstAttempts } from './first-attempts.ts';

/** The beginning of a target's sources: when (Unix ms), the coverage of an earlier process, and the name of its account. */
type Beginning = {
  readonly now: number;
  readonly coverage: CoverageState | undefined;
  readonly account: string | undefined;
};

/** The sources of one target: each of its objectives, whether it is judged, and its first attempts. */
export class TargetSources {
  readonly burns: readonly BurnSource[];
  readonly coverage: TargetCoverage;
  /** Absent without an objective of availability. */
  readonly attempts: FirstAttempts | undefined;

  constructor(
    target: string,
    { objectives, alerting }: Pick<Definition, 'objectives' | 'alerting'>,
    { now, coverage, account }: Beginning,
  ) {
    const available = objectives.find(({ indicator }) => indicator === 'availability');
    this.burns = objectives.map((objective) => new BurnSource(target, objective, alerting.failures));
    this.coverage = new TargetCoverage(target, now, coverage, account);
    this.attempts = available && new FirstAttempts(target, available.objective);
  }

  /** Takes a slot that an earlier process has judged. */
  restore(slot: SlotRecord): void {
    this.coverage.restore(slot);
    this.attempts?.restore(slot);
    for (const burn of this.burns) burn.add(slot);
  }

  /** Shifts all instants by the ms that our clock was set by. */
  shift(by: number): void {
    for (const burn of this.burns) burn.shift(by);
    this.coverage.shift(by);
    this.attempts?.shift(by);
  }
}
