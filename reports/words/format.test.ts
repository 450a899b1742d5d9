import { wilsonInterval } from '@candleproof/law/planning/confidence';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { midnight } from '../testing/candles.ts';
import {
  axisLabel,
  durationText,
  formatInstant,
  formatMinute,
  intervalText,
  rangeText,
  secondsBetween,
  timeText,
} from './format.ts';

test('a printed interval holds the exact one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.nat(), (total, drawn) => {
      const interval = wilsonInterval(drawn % (total + 1), total);
      const [low = 1, high = 0] = intervalText(interval)
        .split(/ to | %/)
        .map(Number);
      expect(low / 100).toBeLessThanOrEqual(interval.low + 1e-9);
      expect(high / 100).toBeGreaterThanOrEqual(interval.high - 1e-9);
    }),
  );
});

test('times have the unit in which they can be read', () => {
  expect([340, 84_200, 2_510_000, 12_345_678].map(timeText)).toEqual([
    '0.3 ms',
    '84 ms',
    '2,510 ms',
    '12.3 s',
  ]);
  expect([0, 400, 61_000, 9_960_000, 90_000_000].map(durationText)).toEqual([
    ...['0 s', 'less than 1 s', '1 min 1 s', '2 h 46 min', '1 d 1 h'],
  ]);
});

test('a range says its unit once, and which side is open', () => {
  const p = { p: 0.5, value: 1, isGray: false };
  expect(rangeText({ ...p, low: 76_000, high: 78_000 }, timeText)).toBe('76 to 78 ms');
  expect(rangeText({ ...p, low: 76_000, high: 12_000_000 }, timeText)).toBe('76 ms to 12.0 s');
  expect(rangeText({ ...p, low: 59_000, high: 61_000 }, durationText)).toBe('59 s to 1 min 1 s');
  expect(rangeText({ ...p, low: 76_000 }, timeText)).toBe('at least 76 ms');
  expect(rangeText(p, timeText)).toBe('too few for an interval');
});

test('times are reported in UTC, whatever the local zone', () => {
  expect(formatMinute(midnight)).toBe('2025-11-12 00:00');
  expect(formatInstant('2025-11-12T13:05:07.120Z')).toBe('2025-11-12 13:05:07 UTC');
});

test('an axis of days tells dates, a shorter one hours', () => {
  expect([86_400, 3600].map((length) => axisLabel(midnight, length))).toEqual(['11-12', '00:00']);
});

test('a number that is no date is reported as it came', () => {
  expect(formatMinute(1e15)).toBe('1000000000000000');
});

test('a duration of unreadable or reversed instants is not reported', () => {
  expect(secondsBetween('2025-11-12T13:05:07.120Z', '2025-11-12T13:05:19.845Z')).toBe(12.7);
  expect(secondsBetween('yesterday', '2025-11-12T13:05:19Z')).toBeUndefined();
  expect(secondsBetween('2025-11-12T13:05:19Z', '2025-11-12T13:05:07Z')).toBeUndefined();
});
