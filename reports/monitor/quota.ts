import type { MonthAccount, Shares } from '../../planning/allowance.ts';
import { exhaustedAt } from '../../planning/cadence.ts';
import { monthOf, type QuotaMonth } from '../../planning/quota-month.ts';
import type { EventRecord, QuotaRecord } from '../../results/results-store.ts';
import { isLedgerKind, newestFirst } from './event-kinds.ts';
import type { ReportedPlan } from './plan.ts';
import { day } from './spans.ts';

/**
 * Where a key goes from here on; instants in Unix ms. Of what the plan takes and what the last day took it is the larger:
 * anyone who spends beside us shows within a day, and a monitor that began yesterday spends on tomorrow.
 */
export type Forecast = {
  readonly perDay: number;
  /** Requests a day of the plan, and those that the counters showed in the last 24 hours, all users together. */
  readonly planned?: number | undefined;
  readonly lastDay?: number | undefined;
  /** Requests that would be left at the reset; never negative. */
  readonly leftAtReset: number;
  /** When nothing is left, and when no more than the reserve; absent where the reset comes first. */
  readonly exhaustedAt?: number | undefined;
  readonly reserveAt?: number | undefined;
};

/** One key: its newest counters, its month, and what the ledger saw. */
export type KeyView = {
  readonly key: string;
  readonly shares?: Shares | undefined;
  readonly newest?: QuotaRecord | undefined;
  /** The newest counters belong to a month that is over. */
  readonly isOver: boolean;
  readonly month?: QuotaMonth | undefined;
  /** Of the month, oldest first. */
  readonly readings: readonly QuotaRecord[];
  /** Requests that nobody may touch. */
  readonly reserve: number;
  readonly forecast?: Forecast | undefined;
  /** Newest first. */
  readonly events: readonly EventRecord[];
};

export function keysOf(
  quotas: readonly QuotaRecord[],
  events: readonly EventRecord[],
  { shares, perDay = {} }: Pick<ReportedPlan, 'shares' | 'perDay'>,
  now: number,
): KeyView[] {
  const own = events.filter(({ kind }) => isLedgerKind(kind));
  const names = new Set([
    ...Object.keys(shares),
    ...quotas.map(({ key }) => key),
    ...own.flatMap(({ key }) => key ?? []),
  ]);
  return [...names].toSorted().map((key) => {
    const records = quotas
      .filter((each) => each.key === key)
      .toSorted((a, b) => a.at - b.at || b.remaining - a.remaining);
    const reported = newestFirst(own.filter((each) => each.key === key));
    const known = {
      ...(Object.hasOwn(shares, key) && { shares: shares[key] }),
      ...(Object.hasOwn(perDay, key) && { planned: perDay[key] }),
    };
    return keyView(key, records, reported, known, now);
  });
}

function keyView(
  key: string,
  records: readonly QuotaRecord[],
  events: readonly EventRecord[],
  { shares, planned }: { readonly shares?: Shares; readonly planned?: number },
  now: number,
): KeyView {
  const newest = records.at(-1);
  if (!newest) return { key, shares, isOver: false, readings: [], reserve: 0, events };
  const month = monthOf(newest.resetAt);
  const isOver = now > newest.resetAt;
  const reserve = Math.floor((newest.limit * (shares?.reserve ?? 0)) / 100);
  const readings = records.filter(({ at }) => at >= month.begin && at <= month.end);
  const lastDay = lastDayOf(newest, readings, month);
  return {
    ...{ key, shares, newest, isOver, month, reserve, events, readings },
    forecast: isOver ? undefined : forecastOf(newest, reserve, { planned, lastDay }),
  };
}

/** From the newest answer on, since nothing is known of the time after it. */
function forecastOf(
  { at, limit, remaining, resetAt }: QuotaRecord,
  reserve: number,
  { planned, lastDay }: Pick<Forecast, 'planned' | 'lastDay'>,
): Forecast | undefined {
  if (planned === undefined && lastDay === undefined) return undefined;
  const account: MonthAccount = { limit, remaining, reset: resetAt };
  // A key that nobody uses lasts, unless it is spent already.
  const perDay = Math.max(planned ?? 0, lastDay ?? 0, Number.MIN_VALUE);
  return {
    perDay,
    ...(planned !== undefined && { planned }),
    ...(lastDay !== undefined && { lastDay }),
    leftAtReset: Math.max(0, Math.round(remaining - (perDay * (resetAt - at)) / day)),
    exhaustedAt: exhaustedAt(account, 0, perDay, at),
    reserveAt: exhaustedAt(account, reserve, perDay, at),
  };
}

/** What was counted in the 24 hours before the newest answer; of a shorter time what it counted, and no more. */
function lastDayOf(
  newest: QuotaRecord,
  readings: readonly QuotaRecord[],
  { begin }: QuotaMonth,
): number | undefined {
  const since = newest.at - day;
  if (begin >= since) return usedOf(newest);
  const base = readings.findLast(({ at }) => at <= since) ?? readings[0];
  if (!base || base === newest) return undefined;
  const used = Math.max(0, usedOf(newest) - usedOf(base));
  return base.at < since ? (used * day) / (newest.at - base.at) : used;
}

function usedOf({ limit, remaining, additional }: QuotaRecord): number {
  return limit - remaining + additional;
}
