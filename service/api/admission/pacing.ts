import { RecentlyUsed } from '../../recently-used.ts';

const SECOND = 1000;
const MOST_REMEMBERED = 10_000;

/** So many at once, and so many a second from then on. */
export type PaceLimit = { readonly atOnce: number; readonly perSecond: number };

/** Who is how far ahead of a pace. Kept in memory alone, for all of it is soon over. */
export class Pacing {
  /** By whom, the instant (ms) at which all of theirs would have come at an even pace. */
  readonly #paced = new RecentlyUsed<number>({ most: MOST_REMEMBERED });

  /**
   * How long (ms) something of `who` at `now` (ms) comes too early: 0 when it is in time. It is counted unless it comes
   * more than `mostMs` too early.
   */
  early(who: string, now: number, { atOnce, perSecond }: PaceLimit, mostMs = 0): number {
    const step = SECOND / perSecond;
    const free = atOnce * step;
    const paced = this.#paced.get(who) ?? 0;
    // Further ahead than anybody gets: the clock was set back.
    const isSetBack = paced > now + free + mostMs + step;
    const next = (isSetBack ? now : Math.max(paced, now)) + step;
    const early = next - free - now;
    if (early > mostMs + 1e-6) return early;
    this.#paced.set(who, next);
    return early > 1e-6 ? early : 0;
  }
}
