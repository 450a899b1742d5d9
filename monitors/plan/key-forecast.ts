import type { MonthAccount } from '@candleproof/law/planning/allowance';
import { day, minute, roundToBegin } from '../results/calendar.ts';

/** A key's counters at an instant (Unix ms). */
export type KeyReading = MonthAccount & { readonly at: number; readonly additional: number };

/**
 * The forecast of a key for all its holders; instants in Unix ms. Assumes the greater of the planned use and that of
 * the last day: foreign use shows within a day, and a monitor that began yesterday continues.
 */
export type KeyForecast = {
  readonly perDay: number;
  /** Requests a day in the plans of all holders, and requests that the counters showed in the last 24 hours. */
  readonly planned?: number | undefined;
  readonly lastDay?: number | undefined;
  /** Forecast of the requests that remain at the reset; never negative. */
  readonly leftAtReset: number;
  /** When the key is exhausted, and when only the reserve remains; absent if the reset comes first. */
  readonly exhaustedAt?: number | undefined;
  readonly reserveAt?: number | undefined;
};

/** Forecasts from the newest answer on, since later use is unknown; `readings` are of its month, oldest first. */
export function forecastKey(
  newest: KeyReading,
  readings: readonly KeyReading[],
  reserve: number,
  planned?: number,
): KeyForecast | undefined {
  const lastDay = lastDayUse(newest, readings);
  if (planned === undefined && lastDay === undefined) return undefined;
  const { at, remaining, reset } = newest;
  // An unused key never runs out, unless it is exhausted already.
  const perDay = Math.max(planned ?? 0, lastDay ?? 0, Number.MIN_VALUE);
  return {
    perDay,
    planned,
    lastDay,
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
  /** Minutes east of UTC of the zone in which `end` is a month's first midnight; undefined if there is none. */
  readonly offset: number | undefined;
};

/**
 * Returns the month that a reset instant ends (Unix ms, the month's last moment or the next one's first). The instant
 * determines the zone's offset; if it is no calendar month's end, the month began on the same day of the month before.
 */
export function quotaMonth(reset: number): QuotaMonth {
  const end = boundary(reset);
  const offset = zoneOffset(end);
  const shift = (offset ?? 0) * minute;
  return { begin: monthEarlier(end + shift) - shift, end, offset };
}

/** Rounds to a quarter of an hour, as zones do; the last moment may be written with or without milliseconds. */
function boundary(reset: number): number {
  const quarter = Math.round(reset / (15 * minute)) * 15 * minute;
  return quarter >= reset && quarter - reset <= 1000 ? quarter : reset;
}

/** Finds an offset from UTC-12 to UTC+14. */
function zoneOffset(end: number): number | undefined {
  const sinceMidnight = end - roundToBegin(end, day);
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
  return begin + (local - roundToBegin(local, day));
}

/** Returns a key's requests per day since its month began; undefined at the month's first instant. */
export function pacePerDay({ limit, remaining, reset }: MonthAccount, now: number): number | undefined {
  const elapsed = now - quotaMonth(reset).begin;
  return elapsed > 0 ? ((limit - remaining) * day) / elapsed : undefined;
}

/**
 * Returns when (Unix ms) a key used at `perDay` requests a day has no more than `kept` left; undefined if the reset
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
