import { expect, test } from '@playwright/test';
import { measureCoverage, slotsInWords } from './coverage.ts';

test('slots that did not run are lost, whatever kept them', () => {
  const { share, lost } = measureCoverage({ states: { run: 6, missed: 4, 'quota-skipped': 2 } }) ?? {};
  expect(share).toBe(0.5);
  expect(lost).toEqual([
    { why: 'missed', slots: 4 },
    { why: 'quota-skipped', slots: 2 },
  ]);
});

test('slots that traffic covered are looked at, and counted apart from those that ran', () => {
  const coverage = measureCoverage({ states: { run: 3, covered: 6, missed: 3 } });
  expect(coverage).toMatchObject({ planned: 12, run: 3, covered: 6, whileWatched: 0.75 });
  expect(coverage?.lost).toEqual([{ why: 'missed', slots: 3 }]);
  expect(coverage && slotsInWords(coverage)).toBe('3 of 12 planned slots ran, 6 were covered by traffic');
});

test('coverage is of the time requested, beside that of the time that was watched', () => {
  expect(measureCoverage({ states: { run: 9, missed: 1 } }, 0.01)).toMatchObject({
    whileWatched: 0.9,
    share: 0.009000000000000001,
  });
});

test('nothing planned is no full coverage', () => {
  expect(measureCoverage({ states: {} })).toBeUndefined();
});
