import { expect, test } from '@playwright/test';
import { formatCsv, judgeTables, listTimes, makeRows, rollUpRows } from './testing/tables.ts';

const rows = makeRows(listTimes(288, 300));
const hours = rollUpRows(rows, 12);

test('a file without rows makes the verdict unjudged unless there is damage', async () => {
  const empty = await judgeTables({ 'a.csv': formatCsv(rows), 'b.csv': '' });
  expect([empty.verdict, empty.undecided]).toEqual(['unjudged', ['b.csv: no rows']]);
  const blank = `${formatCsv([])}2019-01-01,,,,,\n2019-01-02,NaN,NaN,NaN,NaN,0\n`;
  const { verdict, undecided } = await judgeTables({ 'a.csv': formatCsv(rows), 'b.csv': blank });
  expect([verdict, undecided]).toEqual(['unjudged', ['b.csv: no row with a price']]);
  const broken = rows.map((row, at) => (at === 7 ? { ...row, low: row.high + 1 } : row));
  const both = await judgeTables({ 'a.csv': formatCsv(broken), 'b.csv': '' });
  expect([both.verdict, both.undecided]).toEqual(['damaged', ['b.csv: no rows']]);
});

test('--gaps none without a known grid is unjudged', async () => {
  const uneven = makeRows(Array.from({ length: 40 }, (_, at) => 1e9 + 997 * at * at));
  const observed = await judgeTables({ a: formatCsv(uneven) });
  expect([observed.verdict, observed.undecided]).toEqual(['sound', []]);
  const { verdict, undecided, remarks } = await judgeTables({ a: formatCsv(uneven) }, { gaps: 'none' });
  expect([verdict, undecided, remarks]).toEqual([
    'unjudged',
    [expect.stringContaining('a: nothing tells which intervals are missing, as --gaps none asks: no step')],
    [],
  ]);
});

test('files named as one market that never agree are not sound', async () => {
  const others = hours.map((row) => ({
    ...row,
    ...{ open: row.open * 9, high: row.high * 9, low: row.low * 9, close: row.close * 9 },
  }));
  const { verdict, undecided } = await judgeTables({
    'x-5m.csv': formatCsv(rows),
    'x-1h.csv': formatCsv(others),
  });
  expect([verdict, undecided]).toEqual([
    'unjudged',
    [expect.stringMatching(/^x-1h\.csv against x-5m\.csv: no candle agrees with its parts/)],
  ]);
  const named = await judgeTables({ 'btc-5m.csv': formatCsv(rows), 'eth-1h.csv': formatCsv(others) });
  expect(named.verdict).toBe('sound');
});

test('a table of prices without ranges and volumes is remarked and not suspected', async () => {
  const prices = rows.map((row) => ({ ...row, open: row.close, high: row.close, low: row.close, volume: 0 }));
  const remark = 'a: every row is one price without a volume: these are prices rather than candles';
  const { verdict, ranges, remarks } = await judgeTables({ a: formatCsv(prices) });
  expect([verdict, ranges, remarks]).toEqual(['sound', [], [remark]]);
  const traded = prices.map((row, at) => (at === 200 ? { ...row, volume: 3 } : row));
  expect((await judgeTables({ a: formatCsv(traded) })).remarks).toEqual([]);
});

test('amounts that are -1 in every row are none, and one of them is damage', async () => {
  const text = (volume: (at: number) => number): string =>
    formatCsv(rows.map((row, at) => ({ ...row, volume: volume(at) })));
  const { verdict, ranges, remarks } = await judgeTables({ a: text(() => -1) });
  expect([verdict, ranges, remarks]).toEqual([
    'sound',
    [],
    ['a: volume is -1 for none in every row, and not judged there'],
  ]);
  const single = await judgeTables({ a: text((at) => (at === 100 ? -1 : 5 + (at % 7))) });
  expect(single.ranges).toMatchObject([{ line: 102, certainty: 'breach' }]);
});
