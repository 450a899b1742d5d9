import type { DatabaseSync } from 'node:sqlite';
import type { StoreSize } from '../results-store.ts';
import { rateOf, recentSpan } from '../rows/present-rate.ts';
import type { RollUps } from './roll-ups.ts';
import type { SeriesRows } from './series-rows.ts';
import type { SlotRows } from './slot-rows.ts';

export function sizeOf(
  database: DatabaseSync,
  series: SeriesRows,
  slots: SlotRows,
  rollUps: RollUps,
): StoreSize {
  const pragma = (name: string): number => Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
  const firstSlot = slots.first();
  return {
    bytes: pragma('page_count') * pragma('page_size'),
    freeBytes: pragma('freelist_count') * pragma('page_size'),
    ...(firstSlot !== undefined && { firstSlot }),
    series: series.numbered().size,
    ...presentRate(series, rollUps),
  };
}

function presentRate(
  series: SeriesRows,
  rollUps: RollUps,
): Pick<StoreSize, 'slotsPerDay' | 'requestsPerDay'> {
  const extent = series.extent();
  if (!extent) return { slotsPerDay: 0, requestsPerDay: 0 };
  const span = recentSpan(extent);
  return rateOf(rollUps.hoursWithin(span, series.numbered()), span);
}
