import { expect, test } from '@playwright/test';
import { WickTail } from './wick-tail.ts';

function learn(wicks: readonly number[]): WickTail {
  const tail = new WickTail();
  for (const times of wicks) tail.add(times);
  return tail;
}

test('a wick is odd in a table that has hardly any, and usual beside others of its size', () => {
  expect(learn([11]).isOdd(11, { least: 0, rows: 3000 })).toBe(true);
  expect(learn([4, 5, 6, 8, 9, 10, 11, 12, 12]).isOdd(12, { least: 0, rows: 3000 })).toBe(false);
  expect(learn(Array.from({ length: 60 }, () => 3.5).concat(11)).isOdd(11, { least: 0, rows: 3000 })).toBe(
    false,
  );
});

test('a short table never shows that a wick is odd', () => {
  expect(learn([7]).isOdd(7, { least: 0, rows: 100 })).toBe(false);
});

test('a wick just above the least that is looked at is never odd', () => {
  expect(learn([11]).isOdd(11, { least: 10, rows: 3000 })).toBe(false);
});
