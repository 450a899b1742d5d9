import type { Exchange, HeaderLine } from '../reading/exchange.ts';
import { readSuccessQuota, type WholeQuota } from '../reading/quota.ts';
import type { World } from './world.ts';

/** Reads a success's quota under openapi.yaml's header names. */
export function readOurQuota(exchange: Exchange): WholeQuota | undefined {
  return readSuccessQuota(ourQuotaHeaders, exchange);
}

export const ourQuotaHeaders = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  additional: 'x-ratelimit-additional-total',
  reset: 'x-ratelimit-reset',
} as const;
/** Counts the quota of one key over a run, month by month (§8). */
export class QuotaCounter {
  readonly #world: World;
  #used: number;
  #reset: number;

  constructor(world: World) {
    this.#world = world;
    this.#used = world.quota.used;
    this.#reset = this.#monthEnd(world.now);
  }

  /** Counts requests; returns false if they are refused since the month's allowance is spent. `now` in seconds. */
  count(now: number, requests = 1): boolean {
    if (now * 1000 >= this.#reset) {
      this.#used = 0;
      this.#reset = this.#monthEnd(now);
    }
    this.#used += requests;
    const { limit, servedBeyond } = this.#world.quota;
    return servedBeyond || this.#used <= limit;
  }

  /** Returns the quota headers. */
  headers(): HeaderLine[] {
    const { limit } = this.#world.quota;
    return [
      [ourQuotaHeaders.limit, String(limit)],
      [ourQuotaHeaders.remaining, String(Math.max(0, limit - this.#used))],
      [ourQuotaHeaders.additional, String(Math.max(0, this.#used - limit))],
      [ourQuotaHeaders.reset, String(this.#reset)],
    ];
  }

  #monthEnd(now: number): number {
    const { zone, early } = this.#world.quota;
    const there = new Date((now + zone) * 1000);
    return Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + 1, 1) - zone * 1000 - early;
  }
}
