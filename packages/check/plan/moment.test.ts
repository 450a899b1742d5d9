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

test('a range around the first row holds the week before it and the one that begins with it', () => {
  const start = 1_770_595_200;
  for (let seed = 1; seed < 50; seed++) {
    const { from, to } = computeRange('around the first row', 86_400, {
      ...week,
      seed,
      firstRow: () => start,
    });
    expect(from).toBeLessThan(start - intervalSeconds.WEEK);
    expect(to).toBeGreaterThan(start + intervalSeconds.WEEK);
    expect(to - from).toBeLessThan(2 * intervalSeconds.WEEK + 2 * 86_400);
  }
});

test('if no closed week was shown, the range around the first row is the five weeks before the newest', () => {
  const range = computeRange('around the first row', 86_400, { ...week, seed: 1, firstRow: () => undefined });
  expect(week.weekStart() - range.from).toBe(5 * intervalSeconds.WEEK);
  expect(range.to - week.weekStart()).toBeLessThan(86_400);
});

test('rows since the newest whole week reach back into it, wherever the target cuts its weeks', () => {
  const { from, to } = computeRange('since the week', 300, { ...week, seed: 1 });
  expect(from).toBeLessThan(week.now - intervalSeconds.WEEK - 3600);
  expect(to).toBeGreaterThan(week.now);
});

test('hours of long ago are a day of the oldest whole week, beside the days of all weeks before the closed one', () => {
  const firstWeek = week.weekStart() - 4 * intervalSeconds.WEEK;
  const moment = { ...week, seed: 1, firstWeek: () => firstWeek };
  expect(computeRange('long ago', 3600, moment)).toEqual({ from: firstWeek, to: firstWeek + 86_400 });
  expect(computeRange('before the week', 86_400, moment)).toEqual({ from: firstWeek, to: week.weekStart() });
});

test('a closed week is exactly one week', () => {
  const { from, to } = computeRange('closed week', 3600, { ...week, seed: 1 });
  expect(to - from).toBe(604_800);
});

test('each second seed reads a week that is older than the newest, but not the one of the pool’s birth', () => {
  const [newest, week] = [1_772_409_600, intervalSeconds.WEEK];
  const shown = (weeks: number): ShownWeeks => ({
    closed: [newest, ...Array.from({ length: weeks - 1 }, (_, index) => newest - (index + 1) * week)],
    firstRow: newest - (weeks - 1) * week,
  });
  const back = (weeks: number) =>
    [1, 2, 3, 4, 5, 6].map((seed) => (newest - chooseWeek(shown(weeks), seed)) / week);
  expect(back(6)).toEqual([0, 2, 0, 3, 0, 1]);
  expect(back(3)).toEqual([0, 1, 0, 1, 0, 1]);
  expect(back(1)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('all weeks are those since 1970, of one seed in four up to 2038, or as many as a limit of rows allows', () => {
  const length = intervalSeconds.WEEK;
  const ends = (seed: number, more = {}, operation = {}) =>
    computeRange('all', length, { ...week, seed, ...more }, operation);
  for (const seed of [0, 1, 2, 4, 5]) {
    expect(ends(seed).from).toBe(0);
    expect(ends(seed).to).toBeGreaterThan(week.now);
    expect(ends(seed).to).toBeLessThanOrEqual(week.now + 2 * length);
  }
  expect([3, 7].map((seed) => ends(seed).to)).toEqual([2 ** 31, 2 ** 31]);
  expect(ends(3, { limits: { rows: () => Number.POSITIVE_INFINITY, endsNow: true } }).to).toBe(week.now);
  const isWithin = (rows: number, { from, to }: { from: number; to: number }) => to - from <= rows * length;
  expect(isWithin(1000, ends(1, {}, { maxRows: 1000 }))).toBe(true);
  expect(isWithin(50, ends(1, { limits: { rows: () => 50, endsNow: false } }))).toBe(true);
});
