import { expect, test } from '@playwright/test';
import { daysInWords, describePattern } from './day-pattern.ts';

const noon = Date.UTC(2026, 10, 19, 12) / 1000;
const daily = Array.from({ length: 8 }, (_, at) => noon + at * 86_400);

test('intervals at one time of several days are a pattern, others are none', () => {
  expect(describePattern(daily, 3600)).toBe('each at 12:00 UTC');
  expect(describePattern(daily.slice(0, 2), 3600)).toBeUndefined();
  expect(describePattern([...daily, noon + 3600], 3600)).toBeUndefined();
  expect(describePattern(daily, 86_400)).toBeUndefined();
});

test('days are named as a span, and counted where some of them are left out', () => {
  expect(daysInWords(daily)).toBe('on every day from 19 to 26 November');
  expect(daysInWords([...daily.slice(0, 3), noon + 14 * 86_400])).toBe(
    'on 4 days from 19 November to 3 December',
  );
  expect(daysInWords(daily.slice(0, 1))).toBe('on 19 November');
});
