import type { ReplyHeader } from '../message.ts';

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

  /** Returns the instant at which the clocks show a full second; the later one if they are set forward over it. */
  #instant(local: number): number {
    const offset = (instant: number): number => this.#clock(instant) - instant;
    const before = offset(local - offset(local));
    return local - Math.min(before, offset(local - before));
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
