import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { draw } from './scope.ts';

const items = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

test('a draw takes different items, the same for the same seed', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), fc.nat(9), (seed, count) => {
      const drawn = draw(items, count, seed);
      expect(new Set(drawn).size).toBe(Math.min(count, items.length));
      expect(draw(items, count, seed)).toEqual(drawn);
    }),
  );
});

test('neighbouring seeds reach every item about equally often', () => {
  const counts = Map.groupBy(
    Array.from({ length: 7000 }, (_, seed) => draw(items, 1, seed)[0] ?? ''),
    (item) => item,
  );
  for (const item of items) {
    expect(counts.get(item)?.length).toBeGreaterThan(800);
    expect(counts.get(item)?.length).toBeLessThan(1200);
  }
});
