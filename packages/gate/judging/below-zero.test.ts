import { expect, test } from '@playwright/test';
import type { Gated } from '../gated.ts';
import { formatCsv, judgeTables, listTimes, makeWalk, type SampleRow } from '../testing/tables.ts';

const walk = makeWalk(listTimes(600, 86_400), 6, 0.01);

/** Scales the prices of every sixty rows to those between 0 and 1, as a learning program does. */
const scaled = walk.map((row, at): SampleRow => {
  const window = walk.slice(at - (at % 60), at - (at % 60) + 60);
  const least = Math.min(...window.map(({ low }) => low));
  const range = Math.max(...window.map(({ high }) => high)) - least;
  const scale = (price: number): number => Number(((price - least) / range).toFixed(6));
  const [open, high, low, close] = [row.open, row.high, row.low, row.close].map(scale) as [
    number,
    number,
    number,
    number,
  ];
  return { ...row, open, high, low, close };
});

const judge = async (rows: readonly SampleRow[]): Promise<Gated> =>
  judgeTables({ a: formatCsv(rows) }, { gaps: 'sessions' });

test('values that are scaled to lie between 0 and 1 are no prices of zero, and a remark says so', async () => {
  const { counts, remarks } = await judge(scaled);
  expect(counts.breach).toBe(0);
  expect(remarks).toEqual([
    'a: all prices lie between 0 and 1 and reach both, as scaled values and chances do: a zero alone is no damage',
  ]);
});

test('lows of zero are damage in prices that pass 1, or do not reach it, or go below zero', async () => {
  const change = (change: (price: number) => number): SampleRow[] =>
    scaled.map((row) => ({ ...row, high: change(row.high) }));
  for (const rows of [
    change((high) => (high === 1 ? 1.01 : high)),
    change((high) => Math.max(high - 0.000001, 0)),
    scaled.map((row, at) => (at === 300 ? { ...row, low: -1 } : row)),
  ])
    expect((await judge(rows)).counts.breach).toBeGreaterThan(5);
});
