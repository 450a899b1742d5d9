import { expect, test } from '@playwright/test';
import type { Gated, GateRange } from '../gated.ts';
import { formatCsv, judgeTables, listTimes, makeRows, makeWalk, type SampleRow } from '../testing/tables.ts';

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
const breaches = ({ ranges }: Gated): GateRange[] => ranges.filter(({ certainty }) => certainty === 'breach');

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

test('prices below zero are sound in a market that has them, and damage in others', async () => {
  const rows = makeRows(listTimes(400, 3600));
  const shifted = (by: number) =>
    rows.map((row) => ({
      ...row,
      ...{ open: row.open - by, high: row.high - by, low: row.low - by, close: row.close - by },
    }));
  const market = await judgeTables({ a: formatCsv(shifted(100)) }, { gaps: 'sessions' });
  expect([market.verdict, market.ranges]).toEqual(['sound', []]);
  expect(market.remarks[0]).toMatch(
    /^a: \d+ rows have prices of zero or below, as power, spreads and yields do/,
  );
  const bent = (change: (row: SampleRow) => Partial<SampleRow>): string =>
    formatCsv(rows.map((row, at) => (at % 20 === 10 ? { ...row, ...change(row) } : row)));
  for (const text of [
    bent(({ low }) => ({ low: -low })),
    bent(() => ({ low: -1 })),
    bent(() => ({ low: 0 })),
    bent(({ open, high, low, close }) => ({ open: -open, high: -low, low: -high, close: -close })),
    bent(() => ({ open: -1, high: -1, low: -1, close: -1 })),
  ])
    expect(breaches(await judgeTables({ a: text }))).toHaveLength(20);
});

test('two rows below zero are sound if prices go there and return step by step', async () => {
  const rows = makeRows(listTimes(400, 86_400));
  const oil = [
    { open: 101, high: 101.5, low: -40.3, close: -37.6 },
    { open: -14, high: 113.9, low: -16.7, close: rows[201]?.close ?? 0 },
  ];
  const fallen = rows.map((row, at) =>
    at === 200 ? { ...row, ...oil[0], open: row.open } : at === 201 ? { ...row, ...oil[1] } : row,
  );
  for (const all of [fallen, fallen.toReversed()]) {
    const { verdict, remarks } = await judgeTables({ a: formatCsv(all) });
    expect([verdict, remarks]).toEqual([
      'sound',
      [expect.stringContaining('a: 2 rows have prices below zero')],
    ]);
  }
  const single = fallen.map((row, at) => (at === 201 ? (rows[201] as SampleRow) : row));
  expect(breaches(await judgeTables({ a: formatCsv(single) }))).toMatchObject([{ line: 202 }]);
});

test('prices below zero in a table of prices are sound, and wrong signs there are damage', async () => {
  const rows = makeRows(listTimes(400, 3600));
  const judgePrices = (change: (price: number, at: number) => number): Promise<Gated> =>
    judgeTables({
      a: formatCsv(
        rows.map(({ time, open }, at) => {
          const price = change(open, at);
          return { time, open: price, high: price, low: price, close: price, volume: 0 };
        }),
      ),
    });
  expect((await judgePrices((price) => price - 100)).verdict).toBe('sound');
  for (const wrong of [(price: number): number => -price, (): number => -1])
    expect(breaches(await judgePrices((price, at) => (at % 20 === 10 ? wrong(price) : price)))).toHaveLength(
      20,
    );
});
