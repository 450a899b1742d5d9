import type { Definition } from '../plan/definition.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import type { IncidentRecord } from '../results/results-store.ts';
import type { StoredAlerts } from './alert-source.ts';
import { BurnSource } from './burn.ts';
import { TargetCoverage } from './coverage-conditions.ts';
import { FirstAttempts } from './first-attempts.ts';
import { burnName, coverageName } from './stored-alerts.ts';
import type { NamedStates } from './written-states.ts';

/** The sources of one target: each of its objectives, whether it is judged, and its first attempts. */
export class TargetSources {
  readonly burns: readonly BurnSource[];
  readonly coverage: TargetCoverage;
  /** Absent without an objective of availability. */
  readonly attempts: FirstAttempts | undefined;

  /** @param account the name of the account whose key it uses */
  constructor(
    target: string,
    { objectives, alerting }: Pick<Definition, 'objectives' | 'alerting'>,
    now: number,
    stored: Pick<StoredAlerts, 'coverage'>,
    account: string | undefined,
  ) {
    const available = objectives.find(({ indicator }) => indicator === 'availability');
    this.burns = objectives.map((objective) => new BurnSource(target, objective, alerting.failures));
    this.coverage = new TargetCoverage(target, now, stored.coverage(target), account);
    this.attempts = available && new FirstAttempts(target, available.objective);
  }

  /** Takes a slot that an earlier process has judged. */
  restore(slot: SlotRecord): void {
    this.coverage.restore(slot);
    this.attempts?.restore(slot);
    for (const burn of this.burns) burn.add(slot);
  }

  /** Takes a finished slot. Returns the objectives that it is evidence for. */
  take(
    slot: SlotRecord,
    now: number,
    findIncident: (burn: BurnSource) => IncidentRecord | undefined,
  ): readonly BurnSource[] {
    this.attempts?.take(slot, now);
    this.coverage.take(slot);
    return this.burns.filter((burn) => {
      const isEvidence = burn.add(slot);
      burn.follow(slot, findIncident(burn));
      return isEvidence;
    });
  }

  /** Continues with what an earlier process remembered of the time before `horizon` (Unix ms). */
  resumeFrom(stored: StoredAlerts, horizon: number, now: number): void {
    for (const burn of this.burns) {
      const state = stored.burn(burn.target, burn.objective.indicator);
      if (state) burn.restore(state, horizon);
    }
    this.attempts?.judge(now);
  }

  /** The states that it remembers, by their names in the store. */
  get states(): NamedStates {
    return [
      ...this.burns.map((burn) => [burnName(burn.target, burn.objective.indicator), burn.state] as const),
      [coverageName(this.coverage.target), this.coverage.seen],
    ];
  }

  /** Shifts all instants by the ms that our clock was set by. */
  shift(by: number): void {
    for (const burn of this.burns) burn.shift(by);
    this.coverage.shift(by);
    this.attempts?.shift(by);
  }
}
