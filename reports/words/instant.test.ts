import { expect, test } from '@playwright/test';
import { midnight } from '../testing/candles.ts';
import { axisLabel, formatInstant, formatMinute, secondsBetween } from './instant.ts';

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
