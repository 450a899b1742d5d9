import type { MonthAccount } from './allowance.ts';

const minute = 60_000;
const day = 86_400_000;

/** A key's counters at an instant (Unix ms). */
export type KeyReading = MonthAccount & { readonly at: number; readonly additional: number };

/**
 * The forecast of a key for all its holders; instants in Unix ms. Assumes the greater of the planned use and that of
 * the last day: foreign use shows within a day, and a monitor that began yesterday spends on tomorrow.
 */
export type KeyForecast = {
  readonly perDay: number;
  /** Requests a day of the plans of all holders, and those that the counters showed in the last 24 hours. */
  readonly planned?: number | undefined;
  readonly lastDay?: number | undefined;
  /** Forecast of the requests that remain at the reset; never negative. */
  readonly leftAtReset: number;
  /** When the key is exhausted, and when only the reserve remains; absent if the reset comes first. */
  readonly exhaustedAt?: number | undefined;
  readonly reserveAt?: number | undefined;
};

/** From the newest answer on, since nothing is known of the time after it; `readings` are of its month, oldest first. */
export function forecastKey(
  newest: KeyReading,
  readings: readonly KeyReading[],
  reserve: number,
  planned?: number,
): KeyForecast | undefined {
  const lastDay = lastDayUse(newest, readings);
  if (planned === undefined && lastDay === undefined) return undefined;
  const { at, remaining, reset } = newest;
  // An unused key lasts, unless it is spent already.
  const perDay = Math.max(planned ?? 0, lastDay ?? 0, Number.MIN_VALUE);
  return {
    perDay,
    ...(planned !== undefined && { planned }),
    ...(lastDay !== undefined && { lastDay }),
    leftAtReset: Math.max(0, Math.round(remaining - (perDay * (reset - at)) / day)),
    exhaustedAt: exhaustionTime(newest, 0, perDay, at),
    reserveAt: exhaustionTime(newest, reserve, perDay, at),
  };
}

/** Returns the use in the 24 hours before the newest answer; the use of a shorter time is not extrapolated. */
function lastDayUse(newest: KeyReading, readings: readonly KeyReading[]): number | undefined {
  const since = newest.at - day;
  if (quotaMonth(newest.reset).begin >= since) return countUsed(newest);
  const base = readings.findLast(({ at }) => at <= since) ?? readings[0];
  if (!base || base.at === newest.at) return undefined;
  const used = Math.max(0, countUsed(newest) - countUsed(base));
  return base.at < since ? (used * day) / (newest.at - base.at) : used;
}

function countUsed({ limit, remaining, additional }: KeyReading): number {
  return limit - remaining + additional;
}

/** The month that a key's requests are counted in: [begin, end) in Unix ms. */
export type QuotaMonth = {
  readonly begin: number;
  readonly end: number;
  /** Minutes east of UTC where `end` is a month's first midnight; undefined if it is none anywhere. */
  readonly offset: number | undefined;
};

/**
 * The month that a reset instant (Unix ms, the month's last moment or the next one's first) closes. Its zone's offset
 * is learnt from the instant; where it is no calendar month's end, the month began on the same day of the one before.
 */
export function quotaMonth(reset: number): QuotaMonth {
  const end = boundary(reset);
  const offset = zoneOffset(end);
  const shift = (offset ?? 0) * minute;
  return { begin: monthEarlier(end + shift) - shift, end, offset };
}

/** Zones lie on quarters of an hour; the last moment is written with or without its milliseconds. */
function boundary(reset: number): number {
  const quarter = Math.round(reset / (15 * minute)) * 15 * minute;
  return quarter >= reset && quarter - reset <= 1000 ? quarter : reset;
}

/** From UTC-12 to UTC+14. */
function zoneOffset(end: number): number | undefined {
  const sinceMidnight = end - Math.floor(end / day) * day;
  if (sinceMidnight % (15 * minute) !== 0) return undefined;
  for (const shift of [-sinceMidnight, day - sinceMidnight]) {
    const isZone = shift >= -12 * 60 * minute && shift <= 14 * 60 * minute;
    if (isZone && new Date(end + shift).getUTCDate() === 1) return shift === 0 ? 0 : shift / minute;
  }
  return undefined;
}

/** Returns the same day a month earlier, or that month's last day. */
function monthEarlier(local: number): number {
  const date = new Date(local);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const begin = Date.UTC(year, month - 1, Math.min(date.getUTCDate(), last));
  return begin + (local - Math.floor(local / day) * day);
}

/** Returns a key's requests per day since its month began; undefined at the month's first instant. */
export function pacePerDay({ limit, remaining, reset }: MonthAccount, now: number): number | undefined {
  const elapsed = now - quotaMonth(reset).begin;
  return elapsed > 0 ? ((limit - remaining) * day) / elapsed : undefined;
}

/**
 * When (Unix ms) a key that goes on with so many requests a day has no more than `kept` left; undefined if the reset
 * comes first.
 */
export function exhaustionTime(
  { remaining, reset }: MonthAccount,
  kept: number,
  perDay: number,
  now: number,
): number | undefined {
  const at = now + (Math.max(0, remaining - kept) / perDay) * day;
  return at < reset ? at : undefined;
}
