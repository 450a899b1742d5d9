import { expect, test } from '@playwright/test';
import type { DraftRow } from './draft-answer.ts';
import {
  areStampedAtEnd,
  findDayZone,
  hasIdleRow,
  hasMissing,
  haveInterval,
  shortestStep,
} from './row-evidence.ts';

const [minute, hour, day] = [60, 3600, 86_400];
const ten = Date.parse('2026-11-24T10:00:00Z') / 1000;

/** A row with a high and a low of its own. */
function makeRow(start: number): DraftRow {
  return { start, high: start + 1, low: start - 1, volume: 1 };
}

function makeRows(...starts: readonly (number | string)[]): DraftRow[] {
  return starts.map((start) => makeRow(typeof start === 'string' ? Date.parse(start) / 1000 : start));
}

test('rows have an interval though some are missing, unless no two of them show it', () => {
  const hours = makeRows(ten, ten + hour, ten + 3 * hour);
  expect([shortestStep(hours), haveInterval(hours, hour), hasMissing(hours, hour)]).toEqual([
    hour,
    true,
    true,
  ]);
  expect(haveInterval(hours.slice(0, 2), hour)).toBe(false);
  expect(haveInterval(makeRows(ten, ten + 2 * hour, ten + 4 * hour), hour)).toBe(false);
  expect(haveInterval(makeRows(ten, ten + hour, ten + 1.5 * hour), hour)).toBe(false);
  expect(hasMissing(makeRows(ten, ten + hour, ten + 2 * hour), hour)).toBe(false);
});

test('days have their interval though clocks change between them', () => {
  const days = makeRows('2026-10-23T22:00:00Z', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z');
  expect(haveInterval(days, day)).toBe(true);
});

test('hours are stamped at the end if they hold the minutes up to their time', () => {
  const minutes = Array.from({ length: 6 * 60 + 1 }, (_, at) => makeRow(ten + at * minute));
  const hours = [1, 2, 3, 4, 5].map((at) => ten + at * hour);
  const hold = (stamp: number, first: number, last: number): DraftRow => ({
    ...{ start: stamp, high: last + 1, low: first - 1, volume: 60 },
  });
  const atEnd = hours.map((stamp) => hold(stamp, stamp - hour + minute, stamp));
  const atStart = hours.map((stamp) => hold(stamp, stamp, stamp + hour - minute));
  expect(areStampedAtEnd(minutes, atEnd, hour)).toBe(true);
  expect(areStampedAtEnd(minutes, atStart, hour)).toBe(false);
  expect(areStampedAtEnd(minutes, atEnd.slice(0, 2), hour)).toBe(false);
});

test('days show a zone only where the time at which they begin changes in UTC', () => {
  const winter = '2026-10-25T23:00:00Z';
  expect(findDayZone(makeRows('2026-10-23T22:00:00Z', '2026-10-24T22:00:00Z', winter))).toBe('Europe/Berlin');
  expect(findDayZone(makeRows(winter, '2026-10-26T23:00:00Z'))).toBeUndefined();
  expect(findDayZone(makeRows('2026-10-24T01:30:00Z', winter))).toBeUndefined();
});

test('a row without trades has one price and a volume of 0', () => {
  const idle = { start: ten, high: 2, low: 2, volume: 0 };
  expect(hasIdleRow([makeRow(ten), idle])).toBe(true);
  expect(
    hasIdleRow([
      { ...idle, volume: 1 },
      { ...idle, low: 1 },
      { ...idle, volume: Number.NaN },
    ]),
  ).toBe(false);
});
