import { expect, test } from '@playwright/test';
import { chooseNight } from './run-flags.ts';

const day = 86_400_000;

test('the day decides which of the nights a run is, and each has its turn', () => {
  const nights = [0, 1, 2, 3].map((later) => chooseNight({ nightly: 3 }, (20_000 + later) * day));
  expect(nights.map(({ seed }) => seed)).toEqual([3, 1, 2, 3]);
  expect(nights[0]).toEqual({ seed: 3, nights: 3 });
});

test('a seed repeats one of the nights, and none of others', () => {
  expect(chooseNight({ nightly: 3, seed: 2 })).toEqual({ seed: 2, nights: 3 });
  expect(() => chooseNight({ nightly: 3, seed: 4 })).toThrow('--seed: 4 is none of 3 nights');
  expect(() => chooseNight({ nightly: 0 })).toThrow('--nightly: 0: give 1 to 31 nights');
  expect(chooseNight({ seed: 9 })).toEqual({ seed: 9 });
});
