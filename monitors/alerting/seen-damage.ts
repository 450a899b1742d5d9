import { rateIndicator, type SlotRecord } from '../results/probe-record.ts';

/** Ms before an alert fired within which a breach belongs to it: for one of 12:00, those since 06:00. */
const damageWindowMs = 6 * 3_600_000;

/** The rules that a target breaks in the slots of one objective, without those that its good slots break too. */
export class SeenDamage {
  readonly #broken = new Map<string, number>();
  readonly #accepted = new Set<string>();

  /** Adds a slot that was judged for correctness; a good slot breaks only rules that its baseline accepts. */
  add(slot: SlotRecord): void {
    const isGood = rateIndicator(slot, 'correctness') === 'good';
    for (const rule of slot.rules) {
      if (isGood) this.#accepted.add(rule);
      else this.#broken.set(rule, Math.max(slot.scheduledAt, this.#broken.get(rule) ?? 0));
    }
  }

  /** Shifts all instants by the ms that our clock was set by. */
  shift(by: number): void {
    for (const [rule, at] of this.#broken) this.#broken.set(rule, at + by);
  }

  /** Lists the rules that were broken shortly before `now` (Unix ms), or since an instant before it. */
  list(now: number, since = now): string[] {
    const from = Math.min(since, now) - damageWindowMs;
    return [...this.#broken]
      .filter(([rule, at]) => at >= from && !this.#accepted.has(rule))
      .map(([rule]) => rule)
      .toSorted();
  }
}
