import type { Shares } from '../../planning/allowance.ts';
import {
  forecastKey,
  type KeyForecast,
  type KeyReading,
  type QuotaMonth,
  quotaMonth,
} from '../../planning/key-forecast.ts';
import type { EventRecord, QuotaRecord } from '../../results/results-store.ts';
import { isLedgerKind, newestFirst } from './events.ts';
import type { ReportedPlan } from './plan.ts';

/** One key: its newest counters, its month, and the ledger's events. */
export type KeyView = {
  readonly key: string;
  readonly shares?: Shares | undefined;
  readonly newest?: QuotaRecord | undefined;
  /** The newest counters belong to an earlier month. */
  readonly isOver: boolean;
  readonly month?: QuotaMonth | undefined;
  /** The month's readings, oldest first. */
  readonly readings: readonly QuotaRecord[];
  /** Requests that no process may spend. */
  readonly reserve: number;
  readonly forecast?: KeyForecast | undefined;
  /** Newest first. */
  readonly events: readonly EventRecord[];
};

/** Returns the view of every key: its readings, forecast and events. */
export function listKeys(
  quotas: readonly QuotaRecord[],
  events: readonly EventRecord[],
  { shares, perDay: planned = {} }: Pick<ReportedPlan, 'shares' | 'perDay'>,
  now: number,
  paces: Readonly<Record<string, number>> = {},
): KeyView[] {
  // The last known pace of all holders overrides the plan of the monitor that last opened the store.
  const perDay = { ...planned, ...paces };
  const plans = events.filter(({ kind }) => isLedgerKind(kind));
  const names = new Set([
    ...Object.keys(shares),
    ...quotas.map(({ key }) => key),
    ...plans.flatMap(({ key }) => key ?? []),
  ]);
  return [...names].toSorted().map((key) => {
    const records = quotas
      .filter((quota) => quota.key === key)
      .toSorted((a, b) => a.at - b.at || b.remaining - a.remaining);
    const reported = newestFirst(plans.filter((eventRecord) => eventRecord.key === key));
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
  const month = quotaMonth(newest.resetAt);
  const isOver = now > newest.resetAt;
  const reserve = Math.floor((newest.limit * (shares?.reserve ?? 0)) / 100);
  const readings = records.filter(({ at }) => at >= month.begin && at <= month.end);
  const forecast = forecastKey(keyReading(newest), readings.map(keyReading), reserve, planned);
  return {
    ...{ key, shares, newest, isOver, month, reserve, events, readings },
    forecast: isOver ? undefined : forecast,
  };
}

function keyReading({ at, limit, remaining, additional, resetAt: reset }: QuotaRecord): KeyReading {
  return { at, limit, remaining, additional, reset };
}
