import { countUsage, type DatedQuota, type Spent } from './ledger-entry.ts';

/** Counts the requests of one reservation, and keeps the newest counters of their answers. */
export class RequestTally {
  #sent = 0;
  #underWay = 0;
  /** Requests whose answers had readable counters. */
  #known = 0;
  #answered = 0;
  #newest: (DatedQuota & { readonly request: number; readonly sent: number }) | undefined;
  readonly #counts: { readonly at: number; readonly usage: number }[] = [];

  get spent(): Spent {
    return {
      sent: this.#sent,
      doubtful: this.#sent - this.#known,
      answered: this.#answered,
      newest: this.newest,
      counts: this.#counts,
    };
  }

  get newest(): DatedQuota | undefined {
    return this.#newest && { at: this.#newest.at, quota: this.#newest.quota };
  }

  /** Counts a request before it leaves; returns what notes its end. */
  leave(): (answer: DatedQuota | undefined) => void {
    this.#sent += 1;
    this.#underWay += 1;
    const [request, isFirst] = [this.#sent, this.#underWay === 1];
    return (answer) => {
      this.#underWay -= 1;
      if (!answer) return;
      this.#known += 1;
      if (isFirst && request === this.#sent)
        this.#counts.push({ at: answer.at, usage: countUsage(answer.quota) });
      this.#note(request, answer);
    };
  }

  /**
   * Prefers the later month, unless a request that left after its answer shows an earlier one; of two limits the one that
   * was requested later, and the higher count. `sent`: the requests that had left when a month was first shown.
   */
  #note(request: number, { at, quota }: DatedQuota): void {
    const before = this.#newest;
    const isOther = before && (quota.reset !== before.quota.reset || quota.limit !== before.quota.limit);
    if (!before || isOther) {
      const isNewer =
        !before ||
        (quota.reset === before.quota.reset ? request > before.request : quota.reset > before.quota.reset) ||
        request > before.sent;
      if (!isNewer) return;
      this.#newest = { request, sent: this.#sent, at, quota };
      this.#answered = 1;
      return;
    }
    this.#answered += 1;
    const isMore = countUsage(quota) > countUsage(before.quota);
    this.#newest = { ...before, ...(isMore && { request, quota }), at: Math.max(at, before.at) };
  }
}
