import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { countSlots, nextSlot, type SlotRhythm, slotOffset, slots } from './slots.ts';

const minute = 60_000;
const rhythms = fc.record({
  id: fc.string(),
  location: fc.string(),
  period: fc.integer({ min: 1, max: 90 * minute }),
});

/** Up to a few hundred periods after some instant. */
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
