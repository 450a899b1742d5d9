import type { ReplyHeader } from '../message.ts';

/** The values of the four rate limit headers (§8). */
export type QuotaNumbers = {
  /** Requests that the key has each month, such as 10000. */
  readonly limit: number;
  /** Requests left of the limit this month. */
  readonly remaining: number;
  /** Requests beyond the limit this month: 5 after 10005 requests with a limit of 10000. */
  readonly additionalTotal: number;
  /** The last millisecond of the month, in Unix time: 1796083199999 is 2026-11-30T23:59:59.999Z. */
  readonly reset: number;
};

/** A calendar month of a time zone. */
export type CalendarMonth = {
  /** Such as `2026-11`. */
  readonly name: string;
  /** The last millisecond of the month, in Unix time: 1796083199999 for `2026-11` in UTC. */
  readonly reset: number;
};

/** Returns whether the name is in the IANA time zone database, such as `UTC` or `America/New_York`. */
export function isTimeZone(name: string): boolean {
  try {
    openClock(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns a function from an instant (ms) to the time that a zone's clocks show, as if it were UTC. Throws RangeError. */
function openClock(timeZone: string): (instant: number) => number {
  // The first lookup of any other zone takes 40 ms.
  if (timeZone === 'UTC') return (instant) => instant;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (instant) => Date.parse(`${format.format(instant).replace(' ', 'T')}Z`);
}

/** Finds the calendar months of one time zone, in which requests are counted (§8). */
export class QuotaCalendar {
  readonly #clock: (instant: number) => number;
  #current = { name: '', begin: 0, reset: -1 };

  /** `zone` is a name of the IANA database. */
  constructor(zone: string) {
    this.#clock = openClock(zone);
  }

  /** Returns the month that contains `now` (ms). */
  month(now: number): CalendarMonth {
    const { begin, reset } = this.#current;
    if (now < begin || now > reset) this.#current = this.#read(now);
    return this.#current;
  }

  #read(now: number): CalendarMonth & { readonly begin: number } {
    const local = new Date(this.#clock(now));
    const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
    const [begin, next] = [this.#instant(Date.UTC(year, month)), this.#instant(Date.UTC(year, month + 1))];
    return { name: local.toISOString().slice(0, 'yyyy-MM'.length), begin, reset: next - 1 };
  }

  /**
   * Returns the instant at which the zone's clocks show a time, given in full seconds as if it were UTC. Clocks that are
   * set forward for daylight saving skip an hour, and a time in it counts as one an hour later: in Asunción 23:59:59 of
   * 30 September 2017 was followed by 01:00, at which October began.
   */
  #instant(local: number): number {
    const offset = (instant: number): number => this.#clock(instant) - instant;
    const before = offset(local - offset(local));
    return local - Math.min(before, offset(local - before));
  }
}

/**
 * Returns the counters after `used` requests in a month. For a request without a known key the caller passes a limit of 0
 * and 0 used: all counters are 0, and the reset is the end of the month as for any key.
 */
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
