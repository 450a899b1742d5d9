import { expect, test } from '@playwright/test';
import type { HeaderLine } from '../../contract/reading/exchange.ts';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(2026, 0, 31, 12, 0, 0);

function after(value: string, date?: string, status = 429): number | undefined {
  const headers: HeaderLine[] = [['Retry-After', value]];
  return retryAfterMs(status, date === undefined ? headers : [...headers, ['Date', date]], NOW);
}

test('seconds are heeded on 429 and 503 alone', () => {
  expect([after('2'), after('2', undefined, 503), after('2', undefined, 200)]).toEqual([
    2000,
    2000,
    undefined,
  ]);
});

test('a date is measured from the date of the answer', () => {
  expect(after('Sat, 31 Jan 2026 12:00:09 GMT')).toBe(9000);
  expect(after('Sat, 31 Jan 2026 12:00:09 GMT', 'Sat, 31 Jan 2026 12:00:05 GMT')).toBe(4000);
  expect(after('Sat, 31 Jan 2026 11:00:00 GMT')).toBe(0);
});

test('values that are neither seconds nor a date ask for nothing', () => {
  for (const value of ['', '-1', '1.5', 'soon', '1e9', 'Sat, 31 Jan 2026 12:00:09', 'Foo, bar GMT']) {
    expect(after(value), value).toBeUndefined();
  }
});

test('endless digits do not overflow into nothing', () => {
  expect(after('9'.repeat(400))).toBe(Number.POSITIVE_INFINITY);
});
