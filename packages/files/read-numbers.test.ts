import { expect, test } from '@playwright/test';
import { formatDuration, readDuration } from './read-numbers.ts';

test('durations are read and written alike', () => {
  for (const text of ['800ms', '30s', '15m', '4h', '7d'])
    expect(formatDuration(readDuration(text))).toBe(text);
  expect(readDuration('90s')).toBe(90_000);
  expect(formatDuration(90_000)).toBe('90s');
  for (const text of ['', '5', 'm', '-1s', '1.5h', '1w']) expect(readDuration(text)).toBeNaN();
});
