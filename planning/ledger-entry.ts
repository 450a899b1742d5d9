/** The four rate limit headers of one answer (§8): requests, and the reset in Unix ms. */
export type QuotaAnswer = {
  readonly limit: number;
  readonly remaining: number;
  readonly additional: number;
  readonly reset: number;
};

/**
 * An event of one of our requests, reported in the order in which we learned of it. `at` is in Unix ms, by the
 * service's clock if known. Doubtful is a request that ended without four readable numbers, or that may not count:
 * failed, aborted, refused. Requests in flight when a process died must be reported as doubtful.
 */
export type LedgerEntry =
  | { readonly kind: 'sent'; readonly id: string; readonly at: number }
  | { readonly kind: 'doubtful'; readonly id: string; readonly at: number }
  /**
   * Requests that are not listed singly, beside the flight `id`, which ends after them; negative if they were not sent.
   */
  | { readonly kind: 'bulk'; readonly id: string; readonly n: number; readonly at: number }
  | { readonly kind: 'answered'; readonly id: string; readonly at: number; readonly quota: QuotaAnswer };

/** A difference between the counters and our count; `n` in requests unless noted, `at` as in the entry. */
export type LedgerEvent = { readonly at: number } & (
  | { readonly kind: 'foreign-use'; readonly n: number }
  /** Every request costs `extra` more; `takesBack` requests were wrongly reported as foreign use. */
  | { readonly kind: 'double-charge'; readonly extra: number; readonly takesBack: number }
  /** `usage`: requests of ours not counted; `month`: requests kept over the reset; `reset`: ms that it is overdue. */
  | { readonly kind: 'stuck'; readonly of: 'usage' | 'month' | 'reset'; readonly n: number }
  /** `usage`: requests counted less than before; `reset`: ms that it is earlier. */
  | { readonly kind: 'backward'; readonly of: 'usage' | 'reset'; readonly n: number }
  | { readonly kind: 'limit-changed'; readonly from: number; readonly to: number }
  /** Further requests beyond the limit. */
  | { readonly kind: 'overage'; readonly n: number }
  /** Reset instants in Unix ms. */
  | { readonly kind: 'roll-over'; readonly from: number; readonly to: number }
);

/** Returns the requests of the month, including those beyond the limit. */
export function countUsage({ limit, remaining, additional }: QuotaAnswer): number {
  return limit - remaining + additional;
}

export type Answered = Extract<LedgerEntry, { kind: 'answered' }>;

/** A passing answer to another user's request with the key. */
export type SeenAnswer = { readonly kind: 'seen'; readonly at: number; readonly quota: QuotaAnswer };

/** Returns the event of foreign use, if there was any. */
export function foreignUseEvents(n: number, at: number): LedgerEvent[] {
  return n > 0 ? [{ kind: 'foreign-use', at, n }] : [];
}

/** Returns the event of overage, if an answer shows more than before. */
export function overageEvents(before: number, { at, quota }: Answered | SeenAnswer): LedgerEvent[] {
  return quota.additional > before ? [{ kind: 'overage', at, n: quota.additional - before }] : [];
}
