import type { SlotPlan } from '../plan/slot-plan.ts';
import {
  type Indicator,
  indicators,
  isProbeRun,
  rateIndicator,
  type SlotRecord,
} from '../results/probe-record.ts';
import type { IncidentRecord, Json } from '../results/results-store.ts';
import { advance, markUnwatched, type ProbeHistory, probeName, withoutForgotten } from './incidents.ts';

/** The planned instants of a target's probe (`probe/operation`); undefined if nothing is planned of it. */
export type FindPlan = (target: string, probe: string) => Pick<SlotPlan, 'period' | 'count'> | undefined;

/**
 * Planned slots in a row without a probe run from which the state between them is unknown: of a probe every 10 minutes that ran at
 * 12:00 and at 12:30, those of 12:10 and 12:20. One that is missing alone changes nothing.
 */
const maxUnchecked = 2;

/** A probe's last run, planned for `at` and going on until `looked`, and when it was last good; Unix ms. */
type KnownSlot = {
  readonly at: number;
  readonly checkedAt: number;
  readonly lastGood: Readonly<Partial<Record<Indicator, number>>>;
};

/** Keeps the open incidents, and the state that is needed to continue them. */
export class IncidentBook {
  readonly #open: Map<string, IncidentRecord>;
  readonly #known = new Map<string, KnownSlot>();
  readonly #memory: number;
  readonly #planOf: FindPlan;

  /** @param memory ms for which a probe's last good slot is known: no longer than what is read again at a start */
  constructor(open: readonly IncidentRecord[], memory: number, planOf: FindPlan) {
    this.#open = new Map(open.map((incidentRecord) => [incidentRecord.id, incidentRecord]));
    this.#memory = memory;
    this.#planOf = planOf;
  }

  get open(): readonly IncidentRecord[] {
    return [...this.#open.values()];
  }

  find(target: string, indicator: Indicator, location: string): IncidentRecord | undefined {
    return this.open.find(
      (incidentRecord) =>
        incidentRecord.target === target &&
        incidentRecord.indicator === indicator &&
        incidentRecord.location === location,
    );
  }

  /** Returns the incidents that this slot changed; requests its evidence if it opens one. */
  take(slot: SlotRecord, evidenceOf: (slot: SlotRecord) => Json | undefined): readonly IncidentRecord[] {
    const left = isProbeRun(slot) ? this.#findOpenBefore(slot) : [];
    this.#keep(left);
    const advanced = advance(this.open, slot, this.#readBefore(slot), () => evidenceOf(slot));
    const changed = advanced.map((incidentRecord) => this.#withTimes(incidentRecord));
    this.restore(slot);
    this.#keep(changed);
    return [...left, ...changed];
  }

  /** Remembers only when a probe was looked with, and was good: for slots whose incidents are known. */
  restore(slot: SlotRecord): void {
    if (!isProbeRun(slot)) return;
    const { scheduledAt, finishedAt = scheduledAt } = slot;
    const { checkedAt = 0 } = this.#known.get(probeKey(slot)) ?? {};
    const { unwatched: _, ...lastGood } = this.#readBefore(slot);
    for (const indicator of indicators) {
      if (rateIndicator(slot, indicator) === 'good') lastGood[indicator] = scheduledAt;
    }
    this.#known.set(probeKey(slot), {
      at: scheduledAt,
      checkedAt: Math.max(checkedAt, finishedAt),
      lastGood,
    });
  }

  /** Those at this place whose probes are not requested any more. */
  forget(
    location: string,
    isWatched: (target: string, probe: string) => boolean,
    now: number,
  ): readonly IncidentRecord[] {
    const changed = this.open.flatMap((incidentRecord) => {
      if (incidentRecord.location !== location) return [];
      return withoutForgotten(incidentRecord, (probe) => isWatched(incidentRecord.target, probe), now) ?? [];
    });
    this.#keep(changed);
    return changed;
  }

  /** Shifts all instants after our clock was set by some ms. Returns the open incidents with their new dates. */
  shift(by: number): readonly IncidentRecord[] {
    for (const [name, { at, checkedAt, lastGood }] of this.#known) {
      const good = Object.entries(lastGood).map(([indicator, entry]) => [indicator, entry + by]);
      this.#known.set(name, { at: at + by, checkedAt: checkedAt + by, lastGood: Object.fromEntries(good) });
    }
    const moved = this.open.map((incidentRecord) => ({
      ...incidentRecord,
      ...(incidentRecord.lastGood !== undefined && { lastGood: incidentRecord.lastGood + by }),
      begin: incidentRecord.begin + by,
      lastBad: incidentRecord.lastBad + by,
      ...(incidentRecord.firstFailed !== undefined && { firstFailed: incidentRecord.firstFailed + by }),
      ...(incidentRecord.lastFailed !== undefined && { lastFailed: incidentRecord.lastFailed + by }),
    }));
    this.#keep(moved);
    return moved;
  }

  #keep(changed: readonly IncidentRecord[]): void {
    for (const incidentRecord of changed) {
      if (incidentRecord.end === undefined) this.#open.set(incidentRecord.id, incidentRecord);
      else this.#open.delete(incidentRecord.id);
    }
  }

  /** Returns the incidents that this probe has left open, if no other bad probe has run until now. */
  #findOpenBefore(slot: SlotRecord): readonly IncidentRecord[] {
    const { target, location } = slot.series;
    return this.open.flatMap((incidentRecord) => {
      const { broken = [], lastBad } = incidentRecord;
      const isOwn =
        incidentRecord.target === target &&
        incidentRecord.location === location &&
        broken.includes(probeName(slot));
      if (!isOwn) return [];
      const looks = broken.map((probe) => this.#findRecent(`${target}/${probe}`, slot)?.checkedAt ?? 0);
      const looked = Math.max(lastBad, ...looks);
      const isLost = broken.some((probe) => this.#isUnwatched(target, probe, looked, slot.scheduledAt));
      return isLost ? [markUnwatched(incidentRecord, slot.scheduledAt - looked)] : [];
    });
  }

  /** Returns the state before the slot of the same probe: a time without a run cuts it off. */
  #readBefore(slot: SlotRecord): { -readonly [Name in keyof ProbeHistory]: ProbeHistory[Name] } {
    const known = this.#findRecent(probeKey(slot), slot);
    if (!known) return {};
    const { scheduledAt } = slot;
    if (this.#isUnwatched(slot.series.target, probeName(slot), known.checkedAt, scheduledAt)) {
      return { unwatched: scheduledAt - known.checkedAt };
    }
    const last = Object.entries(known.lastGood);
    return Object.fromEntries(last.filter(([, at]) => at < scheduledAt && at > scheduledAt - this.#memory));
  }

  /** Returns slots within the memory, so that a restart changes no result. */
  #findRecent(name: string, { scheduledAt }: SlotRecord): KnownSlot | undefined {
    const known = this.#known.get(name);
    return known && known.at > scheduledAt - this.#memory ? known : undefined;
  }

  #isUnwatched(target: string, probe: string, looked: number, now: number): boolean {
    const planned = this.#planOf(target, probe)?.count(looked + 1, now) ?? 0;
    return planned >= maxUnchecked;
  }

  #withTimes(incident: IncidentRecord): IncidentRecord {
    const { broken = [], target, end } = incident;
    const periods = broken.flatMap((probe) => this.#planOf(target, probe)?.period ?? []);
    if (end !== undefined || periods.length === 0) return incident;
    return { ...incident, period: Math.min(...periods) };
  }
}

function probeKey(slot: SlotRecord): string {
  return `${slot.series.target}/${probeName(slot)}`;
}
