import { type Indicator, indicatorOf, indicators, type SlotRecord } from '../../results/probe-record.ts';
import type { IncidentRecord, Json } from '../../results/results-store.ts';
import { advance, type LastGood, probeOf, withoutForgotten } from './incidents.ts';

/** The incidents that are open, and what it takes to go on with them. */
export class IncidentBook {
  readonly #open: Map<string, IncidentRecord>;
  readonly #lastGood = new Map<string, Partial<Record<Indicator, number>>>();
  readonly #memory: number;

  /** @param memory ms for which a probe's last good slot is known: no longer than what is read again at a start */
  constructor(open: readonly IncidentRecord[], memory: number) {
    this.#open = new Map(open.map((each) => [each.id, each]));
    this.#memory = memory;
  }

  get open(): readonly IncidentRecord[] {
    return [...this.#open.values()];
  }

  find(target: string, indicator: Indicator, location: string): IncidentRecord | undefined {
    return this.open.find(
      (each) => each.target === target && each.indicator === indicator && each.location === location,
    );
  }

  /** The incidents that this slot changed; its evidence is asked for where it opens one. */
  take(slot: SlotRecord, evidenceOf: (slot: SlotRecord) => Json | undefined): readonly IncidentRecord[] {
    const changed = advance(this.open, slot, this.#knownBefore(slot), () => evidenceOf(slot));
    this.learn(slot);
    this.#keep(changed);
    return changed;
  }

  /** Remembers only when a probe was good: for slots whose incidents are known. */
  learn(slot: SlotRecord): void {
    const name = nameOf(slot);
    const known = this.#lastGood.get(name) ?? {};
    for (const indicator of indicators) {
      if (indicatorOf(slot, indicator) !== 'good') continue;
      known[indicator] = Math.max(known[indicator] ?? 0, slot.scheduledAt);
    }
    this.#lastGood.set(name, known);
  }

  /** Those at this place whose probes are not asked any more. */
  forget(
    location: string,
    isWatched: (target: string, probe: string) => boolean,
    now: number,
  ): readonly IncidentRecord[] {
    const changed = this.open.flatMap((each) => {
      if (each.location !== location) return [];
      return withoutForgotten(each, (probe) => isWatched(each.target, probe), now) ?? [];
    });
    this.#keep(changed);
    return changed;
  }

  #keep(changed: readonly IncidentRecord[]): void {
    for (const each of changed) {
      if (each.end === undefined) this.#open.set(each.id, each);
      else this.#open.delete(each.id);
    }
  }

  #knownBefore(slot: SlotRecord): LastGood {
    const known = Object.entries(this.#lastGood.get(nameOf(slot)) ?? {});
    const { scheduledAt } = slot;
    return Object.fromEntries(known.filter(([, at]) => at < scheduledAt && at > scheduledAt - this.#memory));
  }
}

function nameOf(slot: SlotRecord): string {
  return `${slot.series.target}/${probeOf(slot)}`;
}
