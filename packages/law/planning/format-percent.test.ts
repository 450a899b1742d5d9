import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { formatPercent } from './format-percent.ts';

test('only all of them are 100 %', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.nat(), (total, drawn) => {
      const good = drawn % total;
      expect(formatPercent(good / total)).not.toBe('100 %');
    }),
  );
  expect(formatPercent(1)).toBe('100 %');
  expect(formatPercent(0.99997)).toBe('99.997 %');
});

test('a share keeps two decimals at most', () => {
  expect([21, 48, 1, 5700, 10_000, 12_345].map((count) => formatPercent(count / 10_000))).toEqual([
    '0.21 %',
    '0.48 %',
    '0.01 %',
    '57 %',
    '100 %',
    '123.45 %',
  ]);
});
