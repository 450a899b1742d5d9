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
 * Divides the slots of a grid among the live locations. The last known division holds while the database is away,
 * over a restart too: slots may be missed then, but nobody takes those of a location that is there.
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
   * The plan of a monitor that begins: what fell into its absence counts as missed with the share that it had, until the
   * others took it over; where no other is there, until now.
   */
  resumePlan(facts: Omit<PlanFacts, 'share'>): MonitorPlan {
    const plan = planMonitoring({ ...facts, share: this.#share });
    if (!this.#before) return plan;
    const { share, until } = this.#before;
    const isTakenOver = (this.#sharers() ?? []).length > 1;
    const earlier = planMonitoring({ ...facts, share });
    return changedMonitoring(earlier, isTakenOver ? Math.min(until, facts.now) : facts.now, plan, facts.now);
  }

  /** For the folder: the share ends with the lease, or now where it is given back. */
  state(now: number, isGivenBack = false): Record<string, Json> {
    if (this.#share.of === 0) return {};
    const until = now + 1 + (isGivenBack ? 0 : leaseMs);
    return { [shareState(this.#location)]: { share: { ...this.#share }, until } };
  }
}

function shareState(location: string): string {
  return `slots ${location}`;
}
