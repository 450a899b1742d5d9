import { expect, test } from '@playwright/test';
import { begin, formatCsv, judgeTables, listTimes, makeRows } from '../testing/tables.ts';
import { formatInterval, isCalendar, readInterval } from './grid.ts';

test('intervals are parsed and formatted by their usual names', () => {
  const given = ['5m', '1h', '4H', '1d', '1w', '90', '15 min', 'h', '1M', '1mo'];
  expect(given.map(readInterval)).toEqual([
    300, 3600, 14_400, 86_400, 604_800, 90, 900, 3600, 2_678_400, 2_678_400,
  ]);
  expect([300, 3600, 14_400, 86_400, 604_800, 90, 2_678_400].map(formatInterval)).toEqual([
    ...['5m', '1h', '4h', '1d', '1w', '90s', '1M'],
  ]);
  expect(['', 'soon', '0', '-5m', '1.5h', '5x'].map(readInterval)).toEqual(Array(6).fill(undefined));
});

test('months, quarters and years are recognized by their days, weeks are not', () => {
  expect([28, 29, 30, 31, 90, 92, 365, 366].map((days) => isCalendar(days * 86_400))).toEqual(
    Array(8).fill(true),
  );
  expect([1, 7, 14, 21, 27, 35, 100].map((days) => isCalendar(days * 86_400))).toEqual(Array(7).fill(false));
});

test('a day named by its close may end early, alone and on its own date', async () => {
  const closes = listTimes(200, 86_400, begin + 16 * 3600).filter(
    (time) => new Date(time * 1000).getUTCDay() % 6 !== 0,
  );
  const judge = async (times: readonly number[]): Promise<string> =>
    (await judgeTables({ a: formatCsv(makeRows(times)) })).verdict;
  const early = (hours: number, from: number, count: number): number[] =>
    closes.map((time, at) => (at >= from && at < from + count ? time - hours * 3600 : time));
  expect(await judge(early(3, 60, 1))).toBe('sound');
  expect(await judge(early(3, 60, 20))).toBe('damaged');
  expect(await judge(early(6, 60, 1))).toBe('damaged');
  const midnight = closes.map((time, at) => time - 16 * 3600 - (at === 60 ? 3 * 3600 : 0));
  expect(await judge(midnight)).toBe('damaged');
});
