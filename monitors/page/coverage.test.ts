import { expect, test } from '@playwright/test';
import { measureCoverage } from './coverage.ts';

test('slots that did not run are lost, whatever kept them', () => {
  const { share, lost } = measureCoverage({ states: { run: 6, missed: 4, 'quota-skipped': 2 } }) ?? {};
  expect(share).toBe(0.5);
  expect(lost).toEqual([
    { why: 'missed', slots: 4 },
    { why: 'quota-skipped', slots: 2 },
  ]);
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
