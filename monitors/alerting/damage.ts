import { indicatorOf, type SlotRecord } from '../../results/probe-record.ts';

/** What was broken longer ago than this before an alert fired is no part of it, in ms. */
const ofAlert = 6 * 3_600_000;

/** So many messages of new damage between two reminders; what goes beyond is named by the next one. */
export const mostNews = 4;

/** Which rules a target breaks in the slots of one objective, those left out that its good slots break as well. */
export class SeenDamage {
  readonly #broken = new Map<string, number>();
  readonly #accepted = new Set<string>();

  /** A slot that says something of correctness; what a good one breaks its baseline knows. */
  add(slot: SlotRecord): void {
    const isGood = indicatorOf(slot, 'correctness') === 'good';
    for (const rule of slot.rules) {
      if (isGood) this.#accepted.add(rule);
      else this.#broken.set(rule, Math.max(slot.scheduledAt, this.#broken.get(rule) ?? 0));
    }
  }

  /** Our own clock was set by so many ms. */
  shift(by: number): void {
    for (const [rule, at] of this.#broken) this.#broken.set(rule, at + by);
  }

  /** What was broken shortly before `now` (Unix ms), or since an instant before it. */
  seen(now: number, since = now): string[] {
    const from = Math.min(since, now) - ofAlert;
    return [...this.#broken]
      .filter(([rule, at]) => at >= from && !this.#accepted.has(rule))
      .map(([rule]) => rule)
      .toSorted();
  }
}
