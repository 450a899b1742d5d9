import type { DatabaseSync } from 'node:sqlite';
import { beginOf, day, hour } from '../calendar.ts';
import type { StoreSize } from '../results-store.ts';
import type { RollUps } from './roll-ups.ts';
import type { SeriesRows } from './series-rows.ts';
import type { SlotRows } from './slot-rows.ts';

/** Days at the end of the watched time whose rate is the present one. */
const recent = 7;

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
  const to = beginOf(extent.to, hour) + hour;
  const from = Math.max(beginOf(extent.from, hour), to - recent * day);
  const hours = rollUps.hoursWithin({ from, to }, series.numbered());
  const slots = hours.flatMap(({ states }) => Object.values(states)).reduce((a, b) => a + b, 0);
  const requests = hours.reduce((count, each) => count + each.requests, 0);
  const days = (to - from) / day;
  return { slotsPerDay: slots / days, requestsPerDay: requests / days };
}
