import { expect, test } from '@playwright/test';
import { formatStoreSize } from './store-size.ts';

const now = Date.UTC(2026, 10, 21);

test('a size tells what is there, what comes in and when it ends', () => {
  const size = { bytes: 8e6, freeBytes: 1e6, series: 6, slotsPerDay: 657, requestsPerDay: 655 };
  const kept = { rawDays: 400, isUsual: false, runs: 0 };
  const text = formatStoreSize({ ...size, firstSlot: now - 100 * 86_400_000 }, kept, now);
  expect(text).toContain('now          8.0 MB, of which 1.0 MB will be used again\n');
  expect(text).toContain('a day        657 slots, 655 requests of 6 series\n');
  expect(text).toMatch(/^flat from {4}2027-09-17, at \d+\.\d MB and \d\.\d+ MB more a month$/m);
  expect(formatStoreSize({ ...size, series: 0 }, kept, now)).not.toContain('flat');
});

test('a monitor that has just begun is counted by its plan, not by its first minutes', () => {
  const size = {
    bytes: 1e5,
    freeBytes: 0,
    firstSlot: now - 60_000,
    series: 2,
    slotsPerDay: 48,
    requestsPerDay: 48,
  };
  const pace = { series: 3, slotsPerDay: 960, requestsPerDay: 1920 };
  const text = formatStoreSize(size, { rawDays: 400, isUsual: false, runs: 0, pace }, now);
  expect(text).toContain('a day        960 slots, 1920 requests of 3 series, as configured\n');
  const seen = formatStoreSize(size, { rawDays: 400, isUsual: false, runs: 0 }, now);
  const monthOf = (words: string): number => Number(/^a month +([\d.]+) MB/m.exec(words)?.[1]);
  expect(monthOf(text)).toBeGreaterThan(5 * monthOf(seen));
});
