import type { HeaderLine } from './message.ts';

/** What the four rate limit headers say (§8). */
export type QuotaNumbers = {
  readonly limit: number;
  readonly remaining: number;
  readonly additionalTotal: number;
  /** Unix time in milliseconds. */
  readonly reset: number;
};

/** A calendar month of a zone: its name, and its last millisecond. */
export type QuotaMonth = { readonly name: string; readonly reset: number };

/** The month that holds `now` (ms), in a zone so many minutes east of UTC. */
export function quotaMonth(now: number, utcOffsetMinutes: number): QuotaMonth {
  const local = new Date(now + utcOffsetMinutes * 60_000);
  const next = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1);
  return { name: local.toISOString().slice(0, 7), reset: next - utcOffsetMinutes * 60_000 - 1 };
}

/** The counters after `used` requests of a month; all 0 where no key is known. */
export function quotaNumbers(limit: number, used: number, month: QuotaMonth): QuotaNumbers {
  const remaining = Math.max(0, limit - used);
  return { limit, remaining, additionalTotal: Math.max(0, used - limit), reset: month.reset };
}

export const QUOTA_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-additional-total',
  'x-ratelimit-reset',
] as const;

/** The four header lines, in the order of the document. */
export function quotaHeaders(quota: QuotaNumbers): HeaderLine[] {
  const values = [quota.limit, quota.remaining, quota.additionalTotal, quota.reset];
  return QUOTA_HEADERS.map((name, index) => [name, String(values[index])]);
}
