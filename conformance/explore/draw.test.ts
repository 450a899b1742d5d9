import { expect, test } from '@playwright/test';
import { BatchDraw, type Drawable } from './draw.ts';

const batch = (index: number, cost: number, ...cells: [string, number][]): Drawable => ({
  index,
  cost,
  cells,
});

test('the batch that shows most for its price comes first, and what it showed counts no more', () => {
  const draw = new BatchDraw([
    batch(4, 1, ['hours', 2]),
    batch(5, 2, ['hours', 2], ['days', 2], ['a leap day', 3]),
    batch(6, 1, ['days', 2], ['weeks', 1]),
  ]);
  expect([draw.next(9), draw.next(9), draw.next(9)]).toEqual([5, 6, undefined]);
  expect(draw.covered).toEqual({ kinds: 4, of: 4 });
});

test('what is left to spend bounds the choice, and what was not drawn is named apart', () => {
  const draw = new BatchDraw([batch(0, 3, ['hours', 9]), batch(1, 1, ['days', 1])]);
  expect([draw.next(2), draw.next(2)]).toEqual([1, undefined]);
  expect(draw.covered).toEqual({ kinds: 1, of: 2 });
});
