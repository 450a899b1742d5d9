import type { Shares } from '@candleproof/law/planning/allowance';
import { forecastKey, type KeyReading, quotaMonth } from '../plan/key-forecast.ts';
import type { EventRecord, QuotaRecord } from '../results/results-store.ts';
import { isLedgerKind, newestFirst } from './events.ts';
import type { ReportedPlan } from './plan-facts.ts';

/** One key: its newest counters, its month, and the ledger's events. */
export type KeyView = ReturnType<typeof keyView>;

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
    const own = <Value>(all: Readonly<Record<string, Value>>) =>
      Object.hasOwn(all, key) ? all[key] : undefined;
    return keyView(key, records, reported, { shares: own(shares), planned: own(perDay) }, now);
  });
}

function keyView(
  key: string,
  records: readonly QuotaRecord[],
  events: readonly EventRecord[],
  { shares, planned }: { readonly shares: Shares | undefined; readonly planned: number | undefined },
  now: number,
) {
  const newest = records.at(-1);
  const month = newest && quotaMonth(newest.resetAt);
  /** The newest counters belong to an earlier month. */
  const isOver = newest !== undefined && now > newest.resetAt;
  /** Requests that no process may spend. */
  const reserve = Math.floor(((newest?.limit ?? 0) * (shares?.reserve ?? 0)) / 100);
  const readings = records.filter(({ at }) => month && at >= month.begin && at <= month.end);
  const forecast =
    newest && !isOver
      ? forecastKey(keyReading(newest), readings.map(keyReading), reserve, planned)
      : undefined;
  return { key, shares, newest, isOver, month, readings, reserve, forecast, events };
}

function keyReading({ at, limit, remaining, additional, resetAt: reset }: QuotaRecord): KeyReading {
  return { at, limit, remaining, additional, reset };
}
