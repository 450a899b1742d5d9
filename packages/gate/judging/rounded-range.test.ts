import { expect, test } from '@playwright/test';
import type { Gated } from '../gated.ts';
import { formatCsv, judgeTables, listTimes, makeWalk, type SampleRow } from '../testing/tables.ts';

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** Makes quotes of three decimals, whose high and low are open or close in every fifth row. */
const quotes = makeWalk(listTimes(3000, 3600), 9, 0.002).map((row, at): SampleRow => {
  const [open, close] = [round(row.open, 3), round(row.close, 3)];
  const [high, low] = at % 5 === 0 ? [Math.max(open, close), Math.min(open, close)] : [row.high, row.low];
  return { ...row, open, close, high: round(high, 3), low: round(low, 3) };
});

const roundRange = (row: SampleRow, decimals: number): SampleRow => ({
  ...row,
  high: round(row.high, decimals),
  low: round(row.low, decimals),
});

const judge = (change: (row: SampleRow, at: number) => SampleRow): Promise<Gated> =>
  judgeTables({ a: formatCsv(quotes.map(change)) }, { gaps: 'sessions' });
const breaches = ({ ranges }: Gated): number =>
  ranges.filter(({ certainty }) => certainty === 'breach').length;

test('high and low that are rounded to fewer decimals than the close are no damage, and one remark says so', async () => {
  for (const [decimals, words] of [
    [2, '2 decimals'],
    [1, '1 decimal'],
    [0, 'whole numbers'],
  ] as const) {
    const { verdict, remarks } = await judge((row) => roundRange(row, decimals));
    expect([decimals, verdict]).toEqual([decimals, 'sound']);
    expect(remarks).toEqual([
      expect.stringMatching(
        `^a: high and low are rounded to ${words}, fewer than open or close, which in [\\d,]+ rows`,
      ),
    ]);
  }
  expect((await judge((row) => row)).remarks).toEqual([]);
});

test('a close beyond a rounded high by one unit and more is damage', async () => {
  const result = await judge((row, at) => {
    const rounded = roundRange(row, 2);
    return at === 1500 ? { ...rounded, close: round(rounded.high + 0.012, 3) } : rounded;
  });
  expect(result.ranges.filter(({ certainty }) => certainty === 'breach')).toMatchObject([
    { line: 1502, rows: 1, rules: ['candle/high-is-highest'] },
  ]);
});

test('a close just above a high is damage where other highs have as many decimals, or few closes have more', async () => {
  const exceed = (row: SampleRow, at: number): SampleRow =>
    at % 500 === 250 ? { ...row, high: Math.floor(100 * Math.max(row.open, row.close) - 0.1) / 100 } : row;
  const fine = await judge(exceed);
  expect([breaches(fine), fine.remarks]).toEqual([6, []]);
  const coarse = await judge((row, at) => {
    const { open, close } = row;
    const cents = { ...roundRange(row, 2), open: round(open, 2), close: round(close, 2) };
    return at % 500 === 250 ? { ...cents, close: round(cents.high + 0.003, 3) } : cents;
  });
  expect([breaches(coarse), coarse.remarks]).toEqual([6, []]);
});

test('the last rows of a yield may have all of their decimals', async () => {
  const result = await judge((row, at) => (at < 2990 ? roundRange(row, 2) : row));
  expect([result.verdict, result.remarks.length]).toEqual(['sound', 1]);
});
