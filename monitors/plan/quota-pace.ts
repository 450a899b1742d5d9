import type { MonthAccount } from '../../planning/allowance.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** The pace is that of so many ms at most, and never that of a burst. */
const longest = day;
const shortest = 6 * hour;
/** Between two readings that are kept, in ms. */
const readEvery = hour / 4;

type Reading = { readonly at: number; readonly used: number; readonly limit: number; readonly reset: number };

/** How fast the keys' months are used at present, by any user. */
export class QuotaPace {
  readonly #readings = new Map<string, readonly Reading[]>();

  /** The counters of a key at an instant (Unix ms), each later than the one before. */
  note(key: string, { limit, remaining, reset }: MonthAccount, at: number): void {
    const own = (this.#readings.get(key) ?? []).filter(
      (each) => each.reset === reset && each.limit === limit && at - each.at <= longest,
    );
    const isDue = at - (own.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= readEvery;
    this.#readings.set(key, isDue ? [...own, { at, used: limit - remaining, limit, reset }] : own);
  }

  /** Requests a day. */
  perDay(key: string, { limit, remaining }: MonthAccount, now: number): number {
    const [first] = this.#readings.get(key) ?? [];
    if (!first) return 0;
    return (Math.max(0, limit - remaining - first.used) * day) / Math.max(shortest, now - first.at);
  }
}
