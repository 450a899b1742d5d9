import { expect, test } from '@playwright/test';
import { judgeTables, listTimes, makeRows, type SampleRow } from '../testing/tables.ts';

const rows = makeRows(listTimes(80, 86_400));

const judge = async (turnover: (row: SampleRow, at: number) => number): Promise<string> => {
  const lines = rows.map((row, at) => {
    const { time, open, high, low, close, volume } = row;
    return [time, open, high, low, close, volume, turnover(row, at)].join(',');
  });
  const { verdict } = await judgeTables({
    a: ['time,open,high,low,close,volume,turnover', ...lines].join('\n'),
  });
  return verdict;
};

test('turnovers that are rounded by their size are no damage, and others are', async () => {
  const exact = ({ volume, open }: SampleRow): number => Math.round(volume * open);
  const rounded = (row: SampleRow, at: number): number => {
    const step = at % 16 === 0 ? 10_000 : 10;
    return Math.round(exact(row) / step) * step;
  };
  expect(await judge(exact)).toBe('sound');
  expect(await judge(rounded)).toBe('sound');
  expect(await judge((row, at) => rounded(row, at) * (at === 40 ? 0.7 : 1))).toBe('damaged');
});
