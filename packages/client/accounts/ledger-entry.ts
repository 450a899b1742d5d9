/** The four rate limit headers of one answer (§8): requests, and the reset in Unix ms. */
export type QuotaAnswer = {
  readonly limit: number;
  readonly remaining: number;
  readonly additional: number;
  readonly reset: number;
};

/**
 * The counters of an answer, and its time in Unix ms, by the service's clock if known; `heard`: its time by our clock, if
 * that is not now.
 */
export type DatedQuota = { readonly at: number; readonly quota: QuotaAnswer; readonly heard?: number };

/** The requests of a reservation, as its holder settles it. */
export type Spent = {
  readonly sent: number;
  /**
   * Requests that ended without readable counters, or not at all, and may or may not count. Absent for requests that
   * were not observed one by one: those are in doubt that the newest answer does not show.
   */
  readonly doubtful?: number;
  /** Answers of the month and limit of the newest one. */
  readonly answered: number;
  readonly newest?: DatedQuota | undefined;
  /** The counts in answers to requests beside which the reservation had none in flight, oldest first. */
  readonly counts?: readonly { readonly at: number; readonly usage: number }[];
};

/** A difference between the counters and our count; `n` in requests unless noted, `at` as in the answer. */
export type LedgerEvent = { readonly at: number } & (
  | { readonly kind: 'foreign-use'; readonly n: number }
  /** Every request costs `extra` more; `takesBack` requests were wrongly reported as foreign use. */
  | { readonly kind: 'double-charge'; readonly extra: number; readonly takesBack: number }
  /** `usage`: requests of ours not counted; `month`: requests kept over the reset; `reset`: ms that it is overdue. */
  | { readonly kind: 'stuck'; readonly of: 'usage' | 'month' | 'reset'; readonly n: number }
  /** `usage`: requests counted less than before; `reset`: ms that it is earlier. */
  | { readonly kind: 'backward'; readonly of: 'usage' | 'reset'; readonly n: number }
  /** Ms by which the reset of a month has moved on, once a month. */
  | { readonly kind: 'later-reset'; readonly n: number }
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

/** Returns the event of foreign use, if there was any. */
export function foreignUseEvents(n: number, at: number): LedgerEvent[] {
  return n > 0 ? [{ kind: 'foreign-use', at, n }] : [];
}
