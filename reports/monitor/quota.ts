import type { Account, Shares } from '../../planning/allowance.ts';
import { exhaustedAt, pacePerDay } from '../../planning/cadence.ts';
import { monthOf, type QuotaMonth } from '../../planning/quota-month.ts';
import type { EventRecord, QuotaRecord } from '../../results/results-store.ts';
import { isLedgerKind, newestFirst } from './event-kinds.ts';
import { day } from './spans.ts';

/** Where a key goes when it is used on as it was since its month began; instants in Unix ms. */
export type Forecast = {
  readonly perDay: number;
  /** Requests that would be left at the reset; never negative. */
  readonly leftAtReset: number;
  /** When nothing is left, and when no more than the reserve; absent where the reset comes first. */
  readonly exhaustedAt?: number;
  readonly reserveAt?: number;
};

/** One key: its newest counters, its month, and what the ledger saw. */
export type KeyView = {
  readonly key: string;
  readonly shares?: Shares;
  readonly newest?: QuotaRecord;
  /** The newest counters belong to a month that is over. */
  readonly isOver: boolean;
  readonly month?: QuotaMonth;
  /** Of the month, oldest first. */
  readonly readings: readonly QuotaRecord[];
  /** Requests that nobody may touch. */
  readonly reserve: number;
  readonly forecast?: Forecast;
  /** Newest first. */
  readonly events: readonly EventRecord[];
};

export function keysOf(
  quotas: readonly QuotaRecord[],
  events: readonly EventRecord[],
  shares: Readonly<Record<string, Shares>>,
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
    const told = newestFirst(own.filter((each) => each.key === key));
    return keyView(key, records, told, Object.hasOwn(shares, key) ? shares[key] : undefined, now);
  });
}

function keyView(
  key: string,
  records: readonly QuotaRecord[],
  events: readonly EventRecord[],
  shares: Shares | undefined,
  now: number,
): KeyView {
  const newest = records.at(-1);
  if (!newest) return { key, shares, isOver: false, readings: [], reserve: 0, events };
  const month = monthOf(newest.resetAt);
  const isOver = now > newest.resetAt;
  const reserve = Math.floor((newest.limit * (shares?.reserve ?? 0)) / 100);
  return {
    ...{ key, shares, newest, isOver, month, reserve, events },
    readings: records.filter(({ at }) => at >= month.begin && at <= month.end),
    forecast: isOver ? undefined : forecastOf(newest, reserve),
  };
}

/** From the newest answer on, since nothing is known of the time after it. */
function forecastOf({ at, limit, remaining, resetAt }: QuotaRecord, reserve: number): Forecast | undefined {
  const account: Account = { limit, remaining, reset: resetAt };
  const perDay = pacePerDay(account, at);
  if (perDay === undefined) return undefined;
  return {
    perDay,
    leftAtReset: Math.max(0, Math.round(remaining - (perDay * (resetAt - at)) / day)),
    exhaustedAt: exhaustedAt(account, 0, perDay, at),
    reserveAt: exhaustedAt(account, reserve, perDay, at),
  };
}
