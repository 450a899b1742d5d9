import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { billOf, dueWithin } from './bill.ts';
import { intendedStart } from './intended-start.ts';
import { loads } from './testing/loads.ts';

test('at a steady rate requests are due at equal distances', () => {
  const load = { startPerMinute: 600, stages: [{ perMinute: 600, seconds: 10 }] };
  expect([0, 1, 49, 99].map((each) => intendedStart(load, each))).toEqual([0.1, 0.2, 5, 10]);
  expect(intendedStart(load, 100)).toBe(Number.POSITIVE_INFINITY);
});

test('a request is due when the integral of the rate reaches it', () => {
  fc.assert(
    fc.property(loads, fc.nat(10_000), (load, index) => {
      const bill = billOf(load);
      fc.pre(bill > 0);
      const at = intendedStart(load, index % bill);
      expect(dueWithin(load, at)).toBeCloseTo((index % bill) + 1, 4);
    }),
  );
});
