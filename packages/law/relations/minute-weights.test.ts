import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { anyMinutes, canBeWeighed, fitAverage, type WeightedPart } from './minute-weights.ts';

const ulp = 2 ** -52;
const prices = fc.array(fc.double({ min: 0.99, max: 1.01, noNaN: true }), { minLength: 12, maxLength: 12 });
const minutes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 12, maxLength: 12 });

const fives = (averages: readonly number[]): WeightedPart[] => averages.map((avg) => anyMinutes(avg, 300));

function mean(averages: readonly number[], weights: readonly number[]): number {
  const sum = averages.reduce((total, average, at) => total + average * (weights[at] ?? 0), 0);
  return sum / weights.reduce((total, weight) => total + weight, 0);
}

test('a mean over any of the minutes is never called none', () => {
  fc.assert(
    fc.property(prices, minutes, (averages, weights) => {
      expect(fitAverage(mean(averages, weights), fives(averages), ulp)).not.toBe('misses');
    }),
    { numRuns: 50 },
  );
});

const moving = [
  1.01, 0.994, 1.003, 0.9912, 1.0077, 0.9981, 1.0042, 0.9963, 1.0015, 0.9907, 1.0091, 0.9938,
].map((price, at) => price + Math.sin(at + 1) / 997);

test('minutes that are missing from a moving hour are found', () => {
  expect(fitAverage(mean(moving, [5, 5, 2, 1, 3, 5, 5, 5, 4, 5, 5, 5]), fives(moving), ulp)).toBe('fits');
});

test('an average of something else is no mean over minutes', () => {
  const middle = (Math.max(...moving) + Math.min(...moving)) / 2;
  expect(fitAverage(middle, fives(moving), ulp)).toBe('misses');
});

test('numbers of few digits, or a market that stands still, tell nothing', () => {
  const middle = mean(moving, [5, 5, 2, 1, 3, 5, 5, 5, 4, 5, 5, 5]);
  expect(fitAverage(middle, fives(moving), 1e-6)).toBe('open');
  expect(fitAverage(1, fives(Array(12).fill(1)), ulp)).toBe('open');
});

test('too many ways to weigh are not tried', () => {
  const hours = moving.map((avg) => anyMinutes(avg, 3600));
  expect(fitAverage(1, hours, ulp)).toBe('open');
  expect(canBeWeighed(3600, 24)).toBe(false);
  expect(canBeWeighed(300, 12)).toBe(true);
});
