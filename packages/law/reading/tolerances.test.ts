import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { measurePrecision, roundingShare } from './tolerances.ts';

const prices = fc.double({ min: 1e-9, max: 1e12, noNaN: true });

test('a column reported in a few digits has that precision', () => {
  fc.assert(
    fc.property(fc.array(prices, { minLength: 20 }), fc.integer({ min: 1, max: 14 }), (column, digits) => {
      const reported = column.map((value) => Number(value.toPrecision(digits)));
      expect(measurePrecision(reported).digits).toBeLessThanOrEqual(digits);
    }),
  );
  expect(measurePrecision([0.0482, 1200, 7])).toEqual({ digits: 3, decimals: 4, isSingle: false });
  expect(measurePrecision([1_000_000])).toEqual({ digits: 1, decimals: 0, isSingle: true });
  expect(measurePrecision([-0.25])).toEqual({ digits: 2, decimals: 2, isSingle: true });
});

test('rounding moves no number by more than its share', () => {
  fc.assert(
    fc.property(fc.array(prices, { minLength: 1 }), fc.integer({ min: 2, max: 12 }), (column, digits) => {
      const reported = column.map((value) => Number(value.toPrecision(digits)));
      const precision = { ...measurePrecision(reported), digits };
      for (const [at, value] of column.entries()) {
        const off = Math.abs((reported[at] ?? 0) - value);
        expect(off).toBeLessThanOrEqual(roundingShare(reported[at] ?? 0, precision) * value * (1 + 1e-9));
      }
    }),
  );
});

test('full doubles leave one unit in the last place', () => {
  const precision = measurePrecision([0.1 + 0.2]);
  expect(precision.digits).toBeGreaterThanOrEqual(15);
  expect(roundingShare(5, precision)).toBe(2 ** -52);
});

test('numbers of single precision are recognized in any number of digits', () => {
  fc.assert(
    fc.property(fc.array(prices, { minLength: 1 }), (column) => {
      const reported = column.map(Math.fround);
      const shortest = reported.map((value) => Number(value.toPrecision(9)));
      for (const written of [reported, shortest]) {
        const precision = measurePrecision(written);
        for (const [at, value] of column.entries()) {
          const off = Math.abs((written[at] ?? 0) - value);
          expect(off).toBeLessThanOrEqual(roundingShare(written[at] ?? 0, precision) * value * 1.1);
        }
      }
    }),
  );
  expect(measurePrecision([Math.fround(0.1), Math.fround(0.7)]).isSingle).toBe(true);
  expect(measurePrecision([Math.fround(0.1), 0.7]).isSingle).toBe(false);
});

test('an empty column has one digit', () => {
  expect(measurePrecision([])).toEqual({ digits: 1, decimals: 0, isSingle: true });
});
