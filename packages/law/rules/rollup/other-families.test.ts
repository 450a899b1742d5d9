import { expect, test } from '@playwright/test';
import type { Reading } from '../../reading/candle.ts';
import { readCandles } from '../../reading/read-candles.ts';
import { type FamilyRows, makeFamily, withTrade } from '../../relations/families.ts';
import { expectedHighest, expectedLowest, expectedOpen, expectedVolume } from './family-values.ts';

/** An API whose rows are tuples, whose amounts are JSON numbers and whose prices are those of trades. */
const reading: Reading = {
  fields: { start: '0', open: '1', high: '2', low: '3', close: '4', volume: '5' },
  forms: {},
  earliest: 0,
  length: 300,
};

type Row = readonly [open: number, high: number, low: number, close: number, volume: number];

function readFamily(parent: Row, ...parts: readonly Row[]): FamilyRows {
  const rows = [parent, ...parts].map((row, at) => [1_773_230_400 + 300 * Math.max(0, at - 1), ...row]);
  const [whole, ...children] = readCandles(rows, reading).candles;
  if (!whole) throw new Error('there is no parent');
  return makeFamily(whole, children, withTrade(children), 300);
}

/** A candle without trade, with the prices that its API fills such rows with. */
const idle: Row = [9, 12, 1, 9, 0];
const busy: Row = [5, 6, 4, 5, 10];
const busier: Row = [5, 7, 3, 5, 20];

test('a candle of trades opens where its first part does, if that one saw any', () => {
  expect(expectedOpen(readFamily([5, 7, 3, 5, 30], busy, busier))).toBe(undefined);
  expect(expectedOpen(readFamily([6, 7, 3, 5, 30], busy, busier))).toBe('5, where its first part opens');
  expect(expectedOpen(readFamily([6, 7, 3, 5, 30], idle, busier))).toBe(undefined);
});

test('extremes of trades are those of all parts, or of the parts with trades', () => {
  expect(expectedHighest(readFamily([5, 12, 1, 5, 30], busy, idle, busier))).toBe(undefined);
  expect(expectedHighest(readFamily([5, 7, 3, 5, 30], busy, idle, busier))).toBe(undefined);
  expect(expectedLowest(readFamily([5, 7, 3, 5, 30], busy, idle, busier))).toBe(undefined);
  expect(expectedHighest(readFamily([5, 8, 3, 5, 30], busy, idle, busier))).toBe(
    '12, the highest of its parts',
  );
  expect(expectedLowest(readFamily([5, 7, 2, 5, 30], busy, idle, busier))).toBe('1, the lowest of its parts');
});

/** Makes a candle of this volume with parts of those volumes. */
const summed = (whole: number, ...volumes: readonly number[]): string | undefined =>
  expectedVolume(readFamily([5, 6, 4, 5, whole], ...volumes.map((volume): Row => [5, 6, 4, 5, volume])));

test('volumes that are JSON numbers add up as doubles do', () => {
  expect(summed(3_580_245.3, 1_234_567.1, 2_345_678.2)).toBe(undefined);
  expect(summed(3_580_245.303, 1_234_567.1, 2_345_678.2)).toBe(undefined);
  expect(summed(3_580_245.304, 1_234_567.1, 2_345_678.2)).toBe('3580245.3, the sum of its 2 parts');
  expect(summed(1e-9, 0, 0)).toBe(undefined);
  expect(summed(2e-9, 0, 0)).toBe('0, the sum of its 2 parts');
});
