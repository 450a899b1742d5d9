import { expect, test } from '@playwright/test';
import { WickTail } from './wick-tail.ts';

function learn(wicks: readonly number[]): WickTail {
  const tail = new WickTail();
  for (const times of wicks) tail.add(times);
  return tail;
}

test('a wick is odd in a table that has hardly any, and usual beside others of its size', () => {
  expect(learn([11]).findOdds(11, 0, 3000)).toBeGreaterThan(20);
  expect(learn([4, 5, 6, 8, 9, 10, 11, 12, 12]).findOdds(12, 0, 3000)).toBe(0);
  expect(learn(Array.from({ length: 60 }, () => 3.5).concat(11)).findOdds(11, 0, 3000)).toBe(0);
});

test('a short table never shows that a wick is odd', () => {
  expect(learn([7]).findOdds(7, 0, 100)).toBe(0);
});

test('a wick just above the least that is looked at is never odd', () => {
  expect(learn([11]).findOdds(11, 10, 3000)).toBe(0);
});
