import { findOffset, readZone } from '@candleproof/document/spec/times';
import type { DraftRow } from './draft-answer.ts';

/**
 * Steps from the first row to the last of a range that is requested to see whether its edges are in it: from 10:00 to 14:00
 * for hours, with 3 rows between them.
 */
export const edgeProbeSteps = 4;

/** Fewer rows show no interval, and fewer longer rows do not show where the shorter ones in them are stamped. */
const fewestRows = 3;

const day = 86_400;

/** Days of a zone whose clocks change are an hour longer or shorter. */
const clockChange = 3600;

/** Returns the shortest step between rows, in seconds. */
export function shortestStep(rows: readonly DraftRow[]): number {
  return Math.min(...rows.slice(1).map(({ start }, at) => start - (rows[at]?.start ?? 0)));
}

/** Returns whether rows have a step of `seconds`, allowing missing rows: 10:00, 11:00, 13:00 have one of an hour. */
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

/** Returns whether some interval of `seconds` between the first row and the last has no row. */
export function hasMissing(rows: readonly DraftRow[], seconds: number): boolean {
  const [first, last] = [rows[0]?.start ?? 0, rows.at(-1)?.start ?? 0];
  return Math.round((last - first) / seconds) + 1 > rows.length;
}

/**
 * Returns whether rows are stamped at the end of their interval: the hour at 10:00 has the high and low of the minutes
 * 09:01 … 10:00, and not those of 10:00 … 10:59.
 * @param seconds the length of a coarser row
 */
export function areStampedAtEnd(
  finer: readonly DraftRow[],
  coarser: readonly DraftRow[],
  seconds: number,
): boolean {
  const [oldest, newest] = [finer[0]?.start ?? 0, finer.at(-1)?.start ?? 0];
  const whole = coarser.filter(({ start }) => start - seconds >= oldest && start + seconds <= newest);
  const count = (isIn: (time: number, stamp: number) => boolean): number =>
    whole.filter(({ start, high, low }) => {
      const parts = finer.filter((part) => isIn(part.start, start));
      const [top, bottom] = [
        Math.max(...parts.map((part) => part.high)),
        Math.min(...parts.map((part) => part.low)),
      ];
      return top === high && bottom === low;
    }).length;
  const after = count((time, stamp) => time >= stamp && time < stamp + seconds);
  const before = count((time, stamp) => time > stamp - seconds && time <= stamp);
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

/**
 * Returns the zone at whose midnights days begin, such as Europe/Berlin for days from 23:00 in winter and from 22:00 in
 * summer, in UTC. Returns undefined when all begin at the same time of day in UTC, or no zone fits.
 */
export function findDayZone(rows: readonly DraftRow[]): string | undefined {
  const hours = new Set(rows.map(({ start }) => start % day));
  if (hours.size < 2) return undefined;
  return zones.find((name) => {
    const zone = readZone(name) ?? [];
    return rows.every(({ start }) => (start + findOffset(zone, start)) % day === 0);
  });
}

/** Returns whether any row is of an interval without trades: one price, and a volume of 0. */
export function hasIdleRow(rows: readonly DraftRow[]): boolean {
  return rows.some(({ volume, high, low }) => volume === 0 && high === low);
}
