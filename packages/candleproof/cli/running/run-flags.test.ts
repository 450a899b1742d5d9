import { expect, test } from '@playwright/test';
import { chooseNight } from './run-flags.ts';

const day = 86_400_000;

test('the day decides which of the nights a run is, and each has its turn', () => {
  const nights = [0, 1, 2, 3].map((later) =>
    chooseNight({ nightly: 3 }, { usual: 9, now: (20_000 + later) * day }),
  );
  expect(nights.map(({ seed }) => seed)).toEqual([3, 1, 2, 3]);
  expect(nights[0]).toEqual({ seed: 3, nights: 3 });
});

test('a seed repeats one of the nights, and none of others', () => {
  expect(chooseNight({ nightly: 3, seed: 2 })).toEqual({ seed: 2, nights: 3 });
  expect(() => chooseNight({ nightly: 3, seed: 4 })).toThrow('--seed: 4 is none of 3 nights');
  expect(() => chooseNight({ nightly: 0 })).toThrow('--nightly: 0: give 1 to 31 nights');
  expect(() => chooseNight({ nightly: 3, seed: 'random' })).toThrow('--seed: random goes without --nightly');
});

test('a run without flags has the seed of the config, else always the same', () => {
  expect(chooseNight({})).toEqual({ seed: 1 });
  expect(chooseNight({}, { usual: 7 })).toEqual({ seed: 7 });
  expect(chooseNight({ seed: 9 }, { usual: 7 })).toEqual({ seed: 9 });
});

test('a random seed is another one each time', () => {
  const seeds = Array.from({ length: 4 }, () => chooseNight({ seed: 'random' }).seed);
  expect(new Set(seeds).size).toBe(4);
});
