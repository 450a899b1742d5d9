import { expect, test } from '@playwright/test';
import { sizeInWords } from './size-words.ts';

const now = Date.UTC(2026, 10, 21);

test('a size tells what is there, what comes in and when it ends', () => {
  const size = { bytes: 8e6, freeBytes: 1e6, series: 6, slotsPerDay: 657, requestsPerDay: 655 };
  const kept = { rawDays: 400, isUsual: false, runs: 0 };
  const text = sizeInWords({ ...size, firstSlot: now - 100 * 86_400_000 }, kept, now);
  expect(text).toContain('now          8.0 MB, of which 1.0 MB will be used again\n');
  expect(text).toContain('a day        657 slots, 655 requests of 6 series\n');
  expect(text).toMatch(/^flat from {4}2027-09-17, at \d+\.\d MB and \d\.\d+ MB more a month$/m);
  expect(sizeInWords({ ...size, series: 0 }, kept, now)).not.toContain('flat');
});
