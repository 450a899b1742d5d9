import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import type { SlotShare } from './definition.ts';
import {
  countShared,
  countSlots,
  includesSlot,
  nextSlot,
  type SlotRhythm,
  slotOffset,
  slots,
} from './slot-plan.ts';

const minute = 60_000;
const rhythms = fc.record({
  id: fc.string(),
  location: fc.string(),
  period: fc.integer({ min: 1, max: 90 * minute }),
});

/** Spans of up to a few hundred periods after some instant. */
const spans = rhythms.chain((rhythm) =>
  fc.record({
    rhythm: fc.constant(rhythm),
    from: fc.integer({ min: 0, max: 4e12 }),
    length: fc.integer({ min: 0, max: 300 * rhythm.period }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

const latest: SlotRhythm = { id: 'latest', location: 'sydney', period: 15 * minute };

test('the offset is the same in every release', () => {
  expect(slotOffset(latest)).toBe(590_526);
  expect(slotOffset({ ...latest, location: 'london' })).toBe(160_087);
});

test('a thousand probes spread over the hour', () => {
  const bins = new Array<number>(20).fill(0);
  for (let index = 0; index < 1000; index++) {
    const bin = Math.floor(slotOffset({ id: `probe-${index}`, location: 'here', period: 20 }));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  for (const count of bins) expect(Math.abs(count - 50)).toBeLessThan(30);
});

test('id and location are kept apart', () => {
  const period = 1e9;
  expect(slotOffset({ id: 'a', location: 'bc', period })).not.toBe(
    slotOffset({ id: 'ab', location: 'c', period }),
  );
});

test('the slots of a range’s parts are those of the whole', () => {
  fc.assert(
    fc.property(spans, ({ rhythm, from, length, part }) => {
      const to = from + length;
      const middle = from + Math.floor(length * part);
      const whole = [...slots(rhythm, from, to)];
      expect([...slots(rhythm, from, middle), ...slots(rhythm, middle, to)]).toEqual(whole);
      expect(countSlots(rhythm, from, to)).toBe(whole.length);
      expect(whole.every((slot) => slot >= from && slot < to)).toBe(true);
    }),
  );
});

test('the next slot is the first of those that come', () => {
  fc.assert(
    fc.property(spans, ({ rhythm, from }) => {
      const next = nextSlot(rhythm, from);
      expect([...slots(rhythm, from + 1, from + 1 + rhythm.period)]).toEqual([next]);
      expect(nextSlot(rhythm, next)).toBe(next + rhythm.period);
    }),
  );
});

test('a period that is no whole number of milliseconds is refused', () => {
  for (const period of [0, -1, 0.5, Number.NaN]) {
    expect(() => slotOffset({ ...latest, period })).toThrow(/period of latest/);
  }
});

const grids = fc.record({
  id: fc.string(),
  period: fc.integer({ min: 1, max: 5_400_000 }),
  from: fc.integer({ min: 0, max: 4e12 }),
  periods: fc.double({ min: 0, max: 200, noNaN: true }),
});

test('the shares of all who are there are the whole grid, and no slot is in two of them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), grids, (of, { id, period, from, periods }) => {
      const grid: SlotRhythm = { id, location: '', period };
      const to = from + Math.floor(periods * period);
      const parts = Array.from({ length: of }, (_, index) => ({ ...grid, share: { index, of } }));
      const taken = parts.flatMap((part) => [...slots(part, from, to)]);
      expect(taken.toSorted((one, other) => one - other)).toEqual([...slots(grid, from, to)]);
      for (const part of parts) {
        const instants = [...slots(part, from, to)];
        expect(countSlots(part, from, to)).toBe(instants.length);
        for (const slot of instants) expect(includesSlot(part.share, Math.floor(slot / period))).toBe(true);
        const next = nextSlot(part, from - 1);
        expect(instants[0] ?? next).toBe(next);
        expect(includesSlot(part.share, Math.floor(next / period))).toBe(true);
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
