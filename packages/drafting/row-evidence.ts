import { findOffset, readZone } from '@candleproof/document/spec/times';
import type { DraftRow } from './draft-answer.ts';

/** Rows between the edges of a range that is requested to see them. */
export const rowsBetween = 4;

/** Fewer rows show no interval, and fewer groups of rows no order. */
const fewestRows = 3;

const day = 86_400;

/** Days of a zone whose clocks change are an hour longer or shorter. */
const clockChange = 3600;

/** Returns the shortest step between rows, in seconds. */
export function shortestStep(rows: readonly DraftRow[]): number {
  return Math.min(...rows.slice(1).map(({ start }, at) => start - (rows[at]?.start ?? 0)));
}

/** Returns whether rows have a step of some seconds. */
export function haveInterval(rows: readonly DraftRow[], seconds: number): boolean {
  const slack = seconds >= day ? clockChange : 0;
  const steps = rows.slice(1).map(({ start }, at) => start - (rows[at]?.start ?? 0));
  const isMultiple = (step: number): boolean => {
    const count = Math.round(step / seconds);
    return count >= 1 && Math.abs(step - count * seconds) <= slack;
  };
  const isOne = (step: number): boolean => Math.abs(step - seconds) <= slack;
  return rows.length >= fewestRows && steps.every(isMultiple) && steps.some(isOne);
}

/** Returns whether rows of some intervals between the first and the last are missing. */
export function hasMissing(rows: readonly DraftRow[], seconds: number): boolean {
  const [first, last] = [rows[0]?.start ?? 0, rows.at(-1)?.start ?? 0];
  return Math.round((last - first) / seconds) + 1 > rows.length;
}

/** Returns whether rows are named after their end, since the longer ones hold the shorter ones up to their time. */
export function isOfEnds(finer: readonly DraftRow[], coarser: readonly DraftRow[], length: number): boolean {
  const [oldest, newest] = [finer[0]?.start ?? 0, finer.at(-1)?.start ?? 0];
  const whole = coarser.filter(({ start }) => start - length >= oldest && start + length <= newest);
  const count = (isIn: (time: number, start: number) => boolean): number =>
    whole.filter(({ start, high, low }) => {
      const parts = finer.filter((part) => isIn(part.start, start));
      const [top, bottom] = [
        Math.max(...parts.map((part) => part.high)),
        Math.min(...parts.map((part) => part.low)),
      ];
      return top === high && bottom === low;
    }).length;
  const after = count((time, start) => time >= start && time < start + length);
  const before = count((time, start) => time > start - length && time <= start);
  return before >= fewestRows && before > 0.9 * whole.length && after < 0.5 * whole.length;
}

/** Zones whose clocks change and in which markets cut their days. */
const zones = [
  'America/New_York',
  'America/Chicago',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Athens',
  'Australia/Sydney',
];

/** Returns the zone at whose midnights days begin, if their hour in UTC changes. */
export function findDayZone(rows: readonly DraftRow[]): string | undefined {
  const hours = new Set(rows.map(({ start }) => start % day));
  if (hours.size < 2) return undefined;
  return zones.find((name) => {
    const zone = readZone(name) ?? [];
    return rows.every(({ start }) => (start + findOffset(zone, start)) % day === 0);
  });
}

/** Returns whether a row shows an interval without trades: one price, and no volume. */
export function hasIdleRow(rows: readonly DraftRow[]): boolean {
  return rows.some(({ volume, high, low }) => volume === 0 && high === low);
}
