import { countUsage, type QuotaAnswer } from './ledger-entry.ts';
import type { MonthLeft } from './lend.ts';

/** The end of a request: its counters if they were readable, and whether it was answered as it should be. */
export type Landed = { readonly quota: QuotaAnswer | undefined; readonly isSuccess: boolean };

/** The time at which one more request may leave: now, only after one that is under way, or not at all. */
type Leave = 'now' | 'later' | 'never';

/** Bounds the requests of one sender by the newest counters of its answers, which all users of the key move. */
export class MonthWatch {
  /** The percent of the month that is kept. */
  readonly #reserve: number;
  #newest: QuotaAnswer | undefined;
  /** An answer was sound and had no counters: nothing bounds the requests. */
  #isUncounted = false;
  #underWay = 0;
  /** Requests that ended without counters since the newest answer, which may not include them. */
  readonly #doubtful = new Set<object>();

  constructor(reserve: number) {
    this.#reserve = reserve;
  }

  /** The requests that may leave; undefined until the first answer decides. */
  get left(): number | undefined {
    const month = this.month;
    if (!month) return this.#isUncounted ? Number.POSITIVE_INFINITY : undefined;
    return Math.max(0, month.remaining - month.kept - month.reserved);
  }

  /** The month by the newest answer; `reserved`: requests of ours that it may not include. */
  get month(): MonthLeft | undefined {
    if (!this.#newest) return undefined;
    const { limit, remaining, reset } = this.#newest;
    const kept = Math.ceil((limit * this.#reserve) / 100);
    return { limit, remaining, reset, kept, reserved: this.#underWay + this.#doubtful.size };
  }

  /** True if the service was seen to keep no counters. */
  get isUncounted(): boolean {
    return this.#isUncounted && this.#newest === undefined;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Returns when one more request may leave: what is under way may turn out to be counted already. */
  get mayLeave(): Leave {
    const { left = this.#underWay === 0 ? 1 : 0 } = this;
    if (left >= 1) return 'now';
    return this.#underWay > 0 ? 'later' : 'never';
  }

  /** Takes counters over that others have seen; prefers the later month, and the higher count. */
  note(quota: QuotaAnswer): void {
    // A limit of 0 is that of a key without one.
    if (quota.limit === 0) return;
    const before = this.#newest;
    const isLater = !before || quota.reset > before.reset;
    const isSame = before?.reset === quota.reset && before.limit === quota.limit;
    if (isLater || (isSame ? countUsage(quota) > countUsage(before) : before.reset === quota.reset))
      this.#newest = quota;
  }

  /** Counts a request before it leaves; returns what notes its end. */
  leave(): (end: Landed) => void {
    this.#underWay += 1;
    const own = {};
    const earlier = [...this.#doubtful];
    const before = this.#newest;
    return ({ quota, isSuccess }) => {
      this.#underWay -= 1;
      // A refusal may show anything; it counts where it shows the month that a success has shown.
      const isKnown = this.#newest?.reset === quota?.reset && this.#newest?.limit === quota?.limit;
      if (!quota || !(isSuccess || isKnown)) {
        this.#doubtful.add(own);
        this.#isUncounted ||= isSuccess;
        return;
      }
      for (const doubt of earlier) this.#doubtful.delete(doubt);
      this.#isUncounted ||= quota.limit === 0;
      // An answer to a request that left after the newest answer is the newer one, even if its month ends earlier.
      if (before && before.reset === this.#newest?.reset && quota.reset < before.reset) this.#newest = quota;
      else this.note(quota);
    };
  }
}
