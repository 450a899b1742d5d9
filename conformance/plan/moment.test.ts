import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { intervalSeconds, intervals, type WorldInterval } from '../../contract/worlds/intervals.ts';
import { rangeOf } from './moment.ts';

const week = { now: 1_773_243_140, weekStart: () => 1_772_409_600 };

test('a recent range reaches past the present and begins at an odd second', () => {
  fc.assert(
    fc.property(fc.constantFrom(...intervals), fc.nat(2 ** 31 - 1), (interval: WorldInterval, seed) => {
      const { from, to } = rangeOf('recent', intervalSeconds[interval], { ...week, seed });
      expect(to).toBeGreaterThan(week.now);
      expect(from).toBeLessThan(week.now - 6 * intervalSeconds[interval]);
      expect(Number.isInteger(from)).toBe(true);
    }),
  );
});

test('a closed week is exactly one week', () => {
  const { from, to } = rangeOf('closed week', 3600, { ...week, seed: 1 });
  expect(to - from).toBe(604_800);
});
