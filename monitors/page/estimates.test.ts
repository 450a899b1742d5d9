import { buildHistogram } from '@candleproof/law/planning/histogram';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { estimatePercentiles, judge, moreToDecide } from './estimates.ts';

const promise = { indicator: 'availability', objective: 0.99 } as const;

test('an objective is met from the number of good probes that proves it', () => {
  expect(judge(promise, { good: 298, bad: 0 }).standing).toBe('undecided');
  expect(judge(promise, { good: 299, bad: 0 }).standing).toBe('met');
});

test('an objective is missed only where all of the interval lies below', () => {
  expect(judge(promise, { good: 98, bad: 2 }).standing).toBe('undecided');
  expect(judge(promise, { good: 960, bad: 40 }).standing).toBe('missed');
});

test('slots of one outage are no witnesses of each other', () => {
  const [alone, together] = [
    judge(promise, { good: 982, bad: 18 }),
    judge(promise, { good: 982, bad: 18 }, { outages: 1 }),
  ];
  expect(alone.standing).toBe('missed');
  expect(together.standing).toBe('undecided');
  expect(together.measured?.share).toBe(alone.measured?.share);
  expect(together.measured?.independent).toBeLessThan(30);
  expect(judge(promise, { good: 500, bad: 500 }, { outages: 2 }).standing).toBe('missed');
});

test('what was looked at for less than a quarter of the time is neither met nor missed', () => {
  for (const counted of [
    { good: 10, bad: 90 },
    { good: 5000, bad: 0 },
  ]) {
    expect(judge(promise, counted, { looked: 0.24 }).standing).toBe('undecided');
    expect(judge(promise, counted, { looked: 0.25 }).standing).not.toBe('undecided');
  }
});

test('without a probe nothing is said', () => {
  expect(judge(promise, { good: 0, bad: 0 })).toMatchObject({ standing: 'undecided', proven: 0 });
});

test('what is met was measured above and what is missed below', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(100), fc.constantFrom(0.9, 0.99, 0.999), (good, bad, objective) => {
      const { standing, measured } = judge({ ...promise, objective }, { good, bad });
      if (standing === 'met') expect(measured?.share).toBeGreaterThanOrEqual(objective);
      if (standing === 'missed') expect(measured?.share).toBeLessThan(objective);
    }),
  );
});

test('a p99 of fewer than a hundred samples is gray', () => {
  const listGrey = (n: number) =>
    estimatePercentiles(buildHistogram(Array(n).fill(5)))?.at.map((percentile) => percentile.isGray);
  expect(listGrey(99)).toEqual([false, false, true]);
  expect(listGrey(100)).toEqual([false, false, false]);
});

test('about as many more answers as are named decide an objective, and fewer do not', () => {
  const objective = { indicator: 'correctness', objective: 0.999 } as const;
  for (const [good, bad] of [
    [600, 0],
    [1300, 0],
    [2600, 5],
    [4000, 2],
  ] as const) {
    const open = judge(objective, { good, bad });
    expect(open.standing).toBe('undecided');
    const more = moreToDecide(open) ?? Number.NaN;
    const after = (answers: number): string => {
      const times = (good + bad + answers) / (good + bad);
      return judge(objective, { good: good * times, bad: bad * times }).standing;
    };
    expect(after(Math.ceil(more * 1.02))).not.toBe('undecided');
    expect(after(Math.floor(more * 0.98))).toBe('undecided');
  }
  expect(moreToDecide(judge(objective, { good: 9990, bad: 10 }))).toBeUndefined();
});
