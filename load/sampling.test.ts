import { expect, test } from '@playwright/test';
import { isSampled, turnOf } from './sampling.ts';

const indices = Array.from({ length: 1200 }, (_, index) => index);

test('of any first answers exactly the share is judged', () => {
  for (const share of [0, 0.01, 0.1, 1 / 3, 1]) {
    const judged = indices.filter((index) => isSampled(index, share)).length;
    expect(judged).toBe(Math.floor(1200 * share));
  }
});

test('each request of the mix comes as often as any other, and every one of them is judged some time', () => {
  const count = 12;
  const turns = indices.map((index) => turnOf(index, count));
  const requested = Map.groupBy(turns, (turn) => turn);
  expect([...requested.values()].map((all) => all.length)).toEqual(Array(count).fill(100));
  const judged = new Set(turns.filter((_, index) => isSampled(index, 0.1)));
  expect(judged.size).toBe(count);
});
