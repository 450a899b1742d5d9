import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { Markup, renderBatches } from './markup.ts';

test('batches hold every row once, in order, under their true range', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 450 }), (count) => {
      const ranges: string[] = [];
      const rows = Array.from({ length: count }, (_, index) => index + 1);
      const drawn: number[] = [];
      renderBatches(rows, (slice, range) => {
        drawn.push(...slice);
        if (range !== '') ranges.push(range);
        if (range !== '') expect(range).toBe(` ${slice[0]} to ${slice.at(-1)}`);
        return new Markup('');
      });
      expect(drawn).toEqual(rows);
      expect(ranges).toHaveLength(count > 100 ? Math.ceil(count / 100) : 0);
    }),
  );
});
