import { computeShare, isSameShare, noShare, type SlotShare } from '../../planning/slots.ts';
import { leaseMs } from '../../results/postgres/location-lease.ts';
import type { Json, ResultsStore } from '../../results/results-store.ts';
import { changedMonitoring } from '../plan/changed-plan.ts';
import { type MonitorPlan, type PlanFacts, planMonitoring } from '../plan/plan.ts';

/**
 * The share of an earlier monitor of this folder, and the time (Unix ms) until which it held it: others take it
 * over then.
 */
type KeptShare = { readonly share: SlotShare; readonly until: number };

export type DivisionOptions = {
  readonly store: Pick<ResultsStore, 'state'>;
  readonly location: string;
  /** The names of the live locations; undefined while they are unknown. */
  readonly sharers: () => readonly string[] | undefined;
};

/**
 * Divides the slots of a grid among the live locations. While the database is unreachable, the last known division
 * applies, even after a restart: slots may then be missed, but no location takes those of another live one.
 */
export class SlotDivision {
  readonly #location: string;
  readonly #sharers: DivisionOptions['sharers'];
  readonly #before: KeptShare | undefined;
  #share: SlotShare;

  private constructor({ location, sharers }: DivisionOptions, before: KeptShare | undefined) {
    this.#location = location;
    this.#sharers = sharers;
    this.#before = before;
    this.#share = before?.share ?? noShare;
    this.refresh();
  }

  static async open(options: DivisionOptions): Promise<SlotDivision> {
    const kept = await options.store.state(shareState(options.location));
    return new SlotDivision(options, kept as KeptShare | undefined);
  }

  get share(): SlotShare {
    return this.#share;
  }

  /** Reads the live locations again, and returns whether our share has changed. */
  refresh(): boolean {
    const names = this.#sharers();
    const share = names ? computeShare(names, this.#location) : this.#share;
    if (share.of === 0 || isSameShare(share, this.#share)) return false;
    this.#share = share;
    return true;
  }

  /**
   * Returns the plan of a monitor that starts. Slots of its previous share count as missed until other locations took
   * them over, or until now if there are no others.
   */
  resumePlan(facts: Omit<PlanFacts, 'share'>): MonitorPlan {
    const plan = planMonitoring({ ...facts, share: this.#share });
    if (!this.#before) return plan;
    const { share, until } = this.#before;
    const isTakenOver = (this.#sharers() ?? []).length > 1;
    const earlier = planMonitoring({ ...facts, share });
    return changedMonitoring(earlier, isTakenOver ? Math.min(until, facts.now) : facts.now, plan, facts.now);
  }

  /** Returns the state for the folder: the share ends with the lease, or now if it is given back. */
  state(now: number, isGivenBack = false): Record<string, Json> {
    if (this.#share.of === 0) return {};
    const until = now + 1 + (isGivenBack ? 0 : leaseMs);
    return { [shareState(this.#location)]: { share: { ...this.#share }, until } };
  }
}

function shareState(location: string): string {
  return `slots ${location}`;
}
