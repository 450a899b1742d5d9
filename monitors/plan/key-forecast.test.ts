import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { quotaMonth } from './key-forecast.ts';

test('the documented reset closes April four hours west of UTC', () => {
  expect(quotaMonth(1_746_071_999_999)).toEqual({
    begin: Date.UTC(2025, 3, 1, 4),
    end: Date.UTC(2025, 4, 1, 4),
    offset: -240,
  });
});

test('any month’s end at any offset, however written, gives the month back', () => {
  const offsets = fc.integer({ min: -12 * 4, max: 14 * 4 }).map((quarter) => quarter * 15);
  const written = fc.constantFrom(0, 1, 1000);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1200 }), offsets, written, (month, offset, early) => {
      const [begin, end] = [month, month + 1].map((index) => Date.UTC(2020, index) - offset * 60_000);
      expect(quotaMonth((end ?? 0) - early)).toEqual({ begin, end, offset });
    }),
  );
});

test('a reset that ends no calendar month has no zone, and a month of the day before it', () => {
  const reset = Date.UTC(2026, 2, 31, 9, 7, 3);
  expect(quotaMonth(reset)).toEqual({ begin: Date.UTC(2026, 1, 28, 9, 7, 3), end: reset, offset: undefined });
  expect(quotaMonth(Date.UTC(2026, 4, 17)).begin).toBe(Date.UTC(2026, 3, 17));
});
