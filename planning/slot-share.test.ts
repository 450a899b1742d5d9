import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import {
  countShared,
  countSlots,
  includesSlot,
  nextSlot,
  noShare,
  type SlotRhythm,
  type SlotShare,
  shareAmong,
  slots,
} from './slots.ts';

const sharers = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 9 });
const grids = fc.record({
  id: fc.string(),
  period: fc.integer({ min: 1, max: 5_400_000 }),
  from: fc.integer({ min: 0, max: 4e12 }),
  periods: fc.double({ min: 0, max: 200, noNaN: true }),
});

test('the shares of all who are there are the whole grid, and no slot is in two of them', () => {
  fc.assert(
    fc.property(sharers, grids, (names, { id, period, from, periods }) => {
      const grid: SlotRhythm = { id, location: '', period };
      const to = from + Math.floor(periods * period);
      const parts = names.map((name) => ({ ...grid, share: shareAmong(names.toReversed(), name) }));
      const taken = parts.flatMap((each) => [...slots(each, from, to)]);
      expect(taken.toSorted((one, other) => one - other)).toEqual([...slots(grid, from, to)]);
      for (const each of parts) {
        const own = [...slots(each, from, to)];
        expect(countSlots(each, from, to)).toBe(own.length);
        for (const slot of own) expect(includesSlot(each.share, Math.floor(slot / period))).toBe(true);
        const next = nextSlot(each, from - 1);
        expect(own[0] ?? next).toBe(next);
        expect(includesSlot(each.share, Math.floor(next / period))).toBe(true);
      }
    }),
  );
});

test('the numbers of a share are counted as they fall, below 0 too', () => {
  const numbers = fc.integer({ min: -100, max: 100 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), fc.nat(6), numbers, numbers, (of, index, from, to) => {
      const share: SlotShare = { index: index % of, of };
      let count = 0;
      for (let number = from; number < to; number++) count += includesSlot(share, number) ? 1 : 0;
      expect(countShared(share, from, to)).toBe(count);
    }),
  );
});

test('shares follow the order of the names, whatever order they come in', () => {
  expect(['fra', 'nyc', 'syd'].map((each) => shareAmong(['syd', 'fra', 'nyc'], each).index)).toEqual([
    0, 1, 2,
  ]);
  expect(shareAmong(['syd'], 'syd')).toEqual({ index: 0, of: 1 });
  expect(shareAmong(['syd'], 'fra')).toBe(noShare);
});

test('somebody without a share has no slots', () => {
  const rhythm: SlotRhythm = { id: 'a', location: '', period: 1000, share: noShare };
  expect([...slots(rhythm, 0, 1e6)]).toEqual([]);
  expect(countSlots(rhythm, 0, 1e6)).toBe(0);
  expect(nextSlot(rhythm, 0)).toBe(Infinity);
});
