import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { CandleValues } from './comparisons.ts';
import { findTransformation } from './find-transformation.ts';
import { fits, type ValueSample } from './transformations.ts';

const price = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
const row: fc.Arbitrary<CandleValues> = fc.record({ open: price, high: price, low: price, close: price });
const rows = fc.array(row, { minLength: 4, maxLength: 30 });

/** Makes samples of the open of rows that were changed in one way. */
function sampleOpens(all: readonly CandleValues[], change: (at: number) => number): ValueSample[] {
  return all.map((compared, at) => ({
    actual: change(at),
    expected: compared.open ?? 0,
    row: compared,
    before: all[at - 1],
    after: all[at + 1],
    own: { ...compared, open: change(at) },
    parts: [],
    ofOthers: [],
  }));
}

test('a factor is found with the fewest digits that the rows allow', () => {
  fc.assert(
    fc.property(rows, fc.constantFrom(2, 0.5, 1.001, 100, -1), (all, factor) => {
      const samples = sampleOpens(all, (at) => (all[at]?.open ?? 0) * factor);
      expect(findTransformation('open', samples)).toEqual({ kind: 'factor', factor });
      expect(samples.every((sample) => fits({ kind: 'factor', factor }, 'open', sample))).toBe(true);
    }),
  );
});

test('another column is found before any number', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const samples = sampleOpens(all, (at) => all[at]?.close ?? 0);
      expect(findTransformation('open', samples)?.kind).toMatch(/^(column|constant)$/);
    }),
  );
});

test('values without a rule have no transformation', () => {
  const all = Array.from({ length: 20 }, (_, at) => ({ open: 1 + at / 7, close: 3 + at / 11 }));
  const samples = sampleOpens(all, (at) => (all[at]?.open ?? 0) * (1.1 + Math.sin(at) / 20));
  expect(findTransformation('open', samples)).toBeUndefined();
});

test('one sample shows nothing', () => {
  expect(
    findTransformation(
      'open',
      sampleOpens([{ open: 2 }], () => 4),
    ),
  ).toBeUndefined();
});
