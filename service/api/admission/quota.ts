import { DateTime, IANAZone, Settings } from 'luxon';
import type { ReplyHeader } from '../message.ts';

// Months read the same in each; the machine's own takes 25 ms to look up.
Settings.defaultLocale = 'en-US';

/** What the four rate limit headers say (§8). */
export type QuotaNumbers = {
  readonly limit: number;
  readonly remaining: number;
  readonly additionalTotal: number;
  /** Unix time in milliseconds. */
  readonly reset: number;
};

/** A calendar month of a zone: its name, and its last millisecond. */
export type CalendarMonth = { readonly name: string; readonly reset: number };

/** Is this a name of the IANA time zone database, such as `UTC` or `America/New_York`? */
export function isZone(name: string): boolean {
  // Each other zone takes 40 ms to look up in a new process.
  return name === 'UTC' || IANAZone.isValidZone(name);
}

/** The calendar months of one zone, in which requests are counted (§8). */
export class QuotaCalendar {
  readonly #zone: string;
  #current = { name: '', begin: 0, reset: -1 };

  /** `zone` is a name of the IANA database. */
  constructor(zone: string) {
    this.#zone = zone;
  }

  /** The month that holds `now` (ms). */
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

/** The counters after `used` requests of a month; all 0 where no key is known. */
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

/** The four header lines, in the order of the document. */
export function quotaHeaders(quota: QuotaNumbers): ReplyHeader[] {
  const values = [quota.limit, quota.remaining, quota.additionalTotal, quota.reset];
  return QUOTA_HEADERS.map((name, index) => [name, String(values[index])]);
}
