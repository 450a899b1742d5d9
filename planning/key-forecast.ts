import type { MonthAccount } from './allowance.ts';
import { exhaustionTime } from './cadence.ts';
import { quotaMonth } from './quota-month.ts';

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
  /** Requests that would be left at the reset; never negative. */
  readonly leftAtReset: number;
  /** When nothing is left, and when no more than the reserve; absent where the reset comes first. */
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
  // A key that nobody uses lasts, unless it is spent already.
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

/** Returns the use in the 24 hours before the newest answer; that of a shorter time is not extended. */
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
