import type { Condition } from '../alerting/cause.ts';
import type { MonitorPlan } from '../plan/plan.ts';
import { type Exhaustion, KeyConditions, type MonitorKeys } from './key-conditions.ts';
import type { Watch } from './watch.ts';

/** Decides the conditions that do not depend on slots: whose clock is wrong, and which quota will not last. */
export class Conditions {
  readonly #watch: Watch;
  readonly #keys: KeyConditions;

  private constructor(watch: Watch, keys: KeyConditions) {
    this.#watch = watch;
    this.#keys = keys;
  }

  /** Knows the counters of the last days again. */
  static async open(watch: Watch, keys: MonitorKeys): Promise<Conditions> {
    return new Conditions(watch, await KeyConditions.open(watch, keys));
  }

  get exhaustions(): readonly Exhaustion[] {
    return this.#keys.exhaustions;
  }

  async list(now: number, plan?: Pick<MonitorPlan, 'keys'>): Promise<Condition[]> {
    return [
      this.#monitorClock(now),
      ...[...this.#watch.targets.keys()].map((target) => this.#clockCondition(target, now)),
      ...(await this.#keys.list(now, plan)),
    ];
  }

  #monitorClock(now: number): Condition {
    const { serverClocks, definition } = this.#watch;
    const words = serverClocks.monitorProblem(now);
    return {
      source: 'clock',
      subject: { monitor: definition.location },
      holds: words !== undefined,
      severity: 'ticket',
      family: 'our clock',
      words: () => words ?? '',
    };
  }

  /** An error of our clock is not blamed on a target, whatever was reported before. */
  #clockCondition(target: string, now: number): Condition {
    const { serverClocks } = this.#watch;
    const problem = serverClocks.targetProblem(target, now);
    return {
      source: 'clock',
      subject: { target },
      holds: serverClocks.hasDate(target) && problem?.whose !== 'ours' ? problem !== undefined : undefined,
      severity: 'ticket',
      family: `clock of ${target}`,
      words: () => problem?.words ?? '',
    };
  }
}
