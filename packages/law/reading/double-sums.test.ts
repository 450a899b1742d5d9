import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { type Decimal, parseDecimal } from './decimal.ts';
import { areDoubles, mayBeOneSum } from './double-sums.ts';

const read = (text: string): Decimal => parseDecimal(text) as Decimal;

const plain = (amount: number): boolean => /^\d+(\.\d+)?$/.test(String(amount));
const amounts = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 288 });
const add = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);

test('doubles are recognized by the digits that only their sums have', () => {
  expect(areDoubles(['0.30000000000000004', '0.1', '0.2'])).toBe(true);
  expect(areDoubles(['0.30000000000000004', '0.10000000000000001', '0.20'])).toBe(true);
  expect(areDoubles(['0.3', '0.1', '0.2'])).toBe(false);
  expect(areDoubles(['0.300000000000000001', '0.1', '0.2'])).toBe(false);
  expect(areDoubles(['12345678901234567'])).toBe(false);
});

test('the same doubles in another order are one sum', () => {
  fc.assert(
    fc.property(amounts, (all) => {
      const [one, other] = [add(all), add(all.toReversed())];
      fc.pre(plain(one) && plain(other));
      expect(mayBeOneSum(read(String(one)), read(String(other)), all.length)).toBe(true);
    }),
  );
});

test('what adding cannot move is another sum, and more addends move it further', () => {
  expect(mayBeOneSum(read('0.30000000000000004'), read('0.3'), 2)).toBe(true);
  expect(mayBeOneSum(read('100000.00000001'), read('100000'), 288)).toBe(false);
  expect(mayBeOneSum(read('100000.000000001'), read('100000'), 24)).toBe(false);
  expect(mayBeOneSum(read('100000.000000001'), read('100000'), 288)).toBe(true);
});
