import { DateTime, IANAZone, Settings } from 'luxon';
import type { ReplyHeader } from '../message.ts';

// Month names do not depend on the locale, and looking up the machine's takes 25 ms.
Settings.defaultLocale = 'en-US';

/** The values of the four rate limit headers (§8). */
export type QuotaNumbers = {
  readonly limit: number;
  readonly remaining: number;
  readonly additionalTotal: number;
  /** Unix time in milliseconds. */
  readonly reset: number;
};

/** A calendar month of a time zone: its name (`2026-11`) and its last millisecond. */
export type CalendarMonth = { readonly name: string; readonly reset: number };

/** Returns whether the name is in the IANA time zone database, such as `UTC` or `America/New_York`. */
export function isTimeZone(name: string): boolean {
  // The first lookup of any other zone takes 40 ms.
  return name === 'UTC' || IANAZone.isValidZone(name);
}

/** Finds the calendar months of one time zone, in which requests are counted (§8). */
export class QuotaCalendar {
  readonly #zone: string;
  #current = { name: '', begin: 0, reset: -1 };

  /** `zone` is a name of the IANA database. */
  constructor(zone: string) {
    this.#zone = zone;
  }

  /** Returns the month that contains `now` (ms). */
  month(now: number): CalendarMonth {
    const { begin, reset } = this.#current;
    if (now < begin || now > reset) this.#current = this.#read(now);
    return this.#current;
  }

  #read(now: number): CalendarMonth & { readonly begin: number } {
    const local = DateTime.fromMillis(now, { zone: this.#zone });
    const [begin, reset] = [local.startOf('month').toMillis(), local.endOf('month').toMillis()];
    return { name: local.toFormat('yyyy-MM'), begin, reset };
  }
}

/** Returns the counters after `used` requests in a month; all are 0 without a known key. */
export function quotaNumbers(limit: number, used: number, month: CalendarMonth): QuotaNumbers {
  const remaining = Math.max(0, limit - used);
  return { limit, remaining, additionalTotal: Math.max(0, used - limit), reset: month.reset };
}

export const QUOTA_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-additional-total',
  'x-ratelimit-reset',
] as const;

/** Returns the four header lines in the order of the document. */
export function quotaHeaders(quota: QuotaNumbers): ReplyHeader[] {
  const values = [quota.limit, quota.remaining, quota.additionalTotal, quota.reset];
  return QUOTA_HEADERS.map((name, index) => [name, String(values[index])]);
}
