import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { computeBill, countDue, intendedStart, isSampled, mixIndex } from './bill.ts';
import { loads } from './testing/loads.ts';

test('at a steady rate requests are due at equal distances', () => {
  const load = { startPerMinute: 600, stages: [{ perMinute: 600, seconds: 10 }] };
  expect([0, 1, 49, 99].map((index) => intendedStart(load, index))).toEqual([0.1, 0.2, 5, 10]);
  expect(intendedStart(load, 100)).toBe(Number.POSITIVE_INFINITY);
});

test('a request is due when the integral of the rate reaches it', () => {
  fc.assert(
    fc.property(loads, fc.nat(10_000), (load, index) => {
      const bill = computeBill(load);
      fc.pre(bill > 0);
      const at = intendedStart(load, index % bill);
      expect(countDue(load, at)).toBeCloseTo((index % bill) + 1, 4);
    }),
  );
});

const indices = Array.from({ length: 1200 }, (_, index) => index);

test('the exact share of all first answers is judged', () => {
  for (const share of [0, 0.01, 0.1, 1 / 3, 1]) {
    const judged = indices.filter((index) => isSampled(index, share)).length;
    expect(judged).toBe(Math.floor(1200 * share));
  }
});

test('all requests of the mix are equally frequent and judged at some time', () => {
  const count = 12;
  const turns = indices.map((index) => mixIndex(index, count));
  const requested = Map.groupBy(turns, (turn) => turn);
  expect([...requested.values()].map((all) => all.length)).toEqual(Array(count).fill(100));
  const judged = new Set(turns.filter((_, index) => isSampled(index, 0.1)));
  expect(judged.size).toBe(count);
});
