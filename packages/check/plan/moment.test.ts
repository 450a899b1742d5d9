import { intervalSeconds, intervals, type WorldInterval } from '@candleproof/law/worlds/world';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { chooseWeek, computeRange, type ShownWeeks } from './moment.ts';

const week = { now: 1_773_243_140, weekStart: () => 1_772_409_600 };

test('a recent range reaches past the present and begins at an odd second', () => {
  fc.assert(
    fc.property(fc.constantFrom(...intervals), fc.nat(2 ** 31 - 1), (interval: WorldInterval, seed) => {
      const { from, to } = computeRange('recent', intervalSeconds[interval], { ...week, seed });
      expect(to).toBeGreaterThan(week.now);
      expect(from).toBeLessThan(week.now - 6 * intervalSeconds[interval]);
      expect(Number.isInteger(from)).toBe(true);
    }),
  );
});

test('a range before the first row holds the week before it, within the range that showed it', () => {
  const length = intervalSeconds.WEEK;
  const start = 1_770_595_200;
  const wide = start - 3 * length - 1234;
  for (const from of [wide, start - 50_000, start + 50_000]) {
    for (let seed = 1; seed < 50; seed++) {
      const range = computeRange('before the first row', length, {
        ...week,
        seed,
        firstRow: () => ({ start, from }),
      });
      expect(range.from).toBeLessThanOrEqual(start);
      expect(range.from).toBeGreaterThanOrEqual(Math.min(from, start));
      expect(range.from < start - length).toBe(from === wide);
      expect(range.to).toBeGreaterThan(start);
      expect(range.to - range.from).toBeLessThan(length + 2 * 86_400);
    }
  }
});

test('if no closed week was shown, the range before the first row is the five weeks before the newest', () => {
  const range = computeRange('before the first row', 86_400, { ...week, seed: 1, firstRow: () => undefined });
  expect(week.weekStart() - range.from).toBe(5 * intervalSeconds.WEEK);
  expect(range.to - week.weekStart()).toBeLessThan(86_400);
});

test('a closed week is exactly one week', () => {
  const { from, to } = computeRange('closed week', 3600, { ...week, seed: 1 });
  expect(to - from).toBe(604_800);
});

test('each second seed reads a week that is older than the newest, but not the one of the pool’s birth', () => {
  const [newest, week] = [1_772_409_600, intervalSeconds.WEEK];
  const shown = (weeks: number): ShownWeeks => ({
    closed: [newest, ...Array.from({ length: weeks - 1 }, (_, index) => newest - (index + 1) * week)],
    firstRow: { start: newest - (weeks - 1) * week, from: 0 },
  });
  const back = (weeks: number) =>
    [1, 2, 3, 4, 5, 6].map((seed) => (newest - chooseWeek(shown(weeks), seed)) / week);
  expect(back(6)).toEqual([0, 2, 0, 3, 0, 1]);
  expect(back(3)).toEqual([0, 1, 0, 1, 0, 1]);
  expect(back(1)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('of four seeds one reads all weeks since 1970 and one those up to 2038, if no limit of rows is known', () => {
  const length = intervalSeconds.WEEK;
  const ends = (seed: number, more = {}, operation = {}) =>
    computeRange('recent', length, { ...week, seed, ...more }, operation);
  const isUsual = ({ from, to }: { from: number; to: number }) =>
    from > week.now - 8 * length && to > week.now && to <= week.now + 2 * length;
  expect([0, 1, 4, 5].map((seed) => isUsual(ends(seed)))).toEqual([true, true, true, true]);
  expect([2, 6].map((seed) => ends(seed).from)).toEqual([0, 0]);
  expect([3, 7].map((seed) => ends(seed).to)).toEqual([2 ** 31, 2 ** 31]);
  expect(ends(3, { limits: { rows: () => Number.POSITIVE_INFINITY, endsNow: true } }).to).toBe(week.now);
  for (const seed of [2, 3]) {
    expect(isUsual(ends(seed, {}, { maxRows: 1000 }))).toBe(true);
    expect(isUsual(ends(seed, { limits: { rows: () => 50, endsNow: false } }))).toBe(true);
    expect(isUsual(ends(seed, { hours: 48 }))).toBe(true);
  }
});
