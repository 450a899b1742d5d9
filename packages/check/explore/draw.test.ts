import { expect, test } from '@playwright/test';
import { BatchDraw, type Drawable, SharedDraw } from './draw.ts';

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

test('each purpose is served by its share of what was spent, and the others when it has nothing new', () => {
  const ranges = Array.from({ length: 9 }, (_, at) => ({
    ...batch(at, 1, [`range ${at}`, 50]),
    purpose: 'ranges' as const,
  }));
  const keys = [10, 11].map((at) => ({ ...batch(at, 2, [`key ${at}`, 1]), purpose: 'keys' as const }));
  const draw = new SharedDraw({ ranges: 3, keys: 1 }, [...ranges, ...keys]);
  const order: number[] = [];
  for (let left = 13; left > 0; ) {
    const next = draw.next(left) ?? -1;
    order.push(next);
    left -= next < 10 ? 1 : 2;
  }
  expect(order.map((index) => (index < 10 ? 'range' : 'key')).join(' ')).toBe(
    'range key range range range range range range key range range',
  );
  expect(draw.covered).toEqual({ kinds: 11, of: 11 });
});
