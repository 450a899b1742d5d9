import { expect, test } from '@playwright/test';
import { groupParts } from './judging/market.ts';
import {
  begin,
  formatCsv,
  judgeTables,
  listTimes,
  makeRows,
  rollUpRows,
  type SampleRow,
} from './testing/tables.ts';

const day = 288;
const rows = makeRows(listTimes(31 * day, 300));
const [first, second, third] = [
  rows.slice(0, 10 * day),
  rows.slice(10 * day, 20 * day),
  rows.slice(20 * day),
] as const;

/** Rows as an exchange dumps them: no header, times in milliseconds or, later, in microseconds. */
const dump = (all: readonly SampleRow[], unit: number): string =>
  all
    .map(({ time, open, high, low, close, volume }) => [time * unit, open, high, low, close, volume].join())
    .join('\n');

test('files whose names differ only in dates are one table in the order of the dates', () => {
  expect(
    groupParts(['X-1m-2024-02.zip', 'X-1m-2024-01.zip', 'Y-1m-2024-01.zip', 'X-1h-2024-01.zip']),
  ).toEqual([
    { name: 'X-1m-*.zip', at: [1, 0] },
    { name: 'Y-1m-2024-01.zip', at: [2] },
    { name: 'X-1h-2024-01.zip', at: [3] },
  ]);
  expect(groupParts(['a/2024.csv', 'b/2024.csv', 'x.csv', 'x.csv']).map(({ at }) => at)).toEqual([
    [0],
    [1],
    [2],
    [3],
  ]);
});

test('a table of several files is judged over their borders, each with its lines', async () => {
  const broken = second.map((row, at) => (at === 5 ? { ...row, low: row.high + 1 } : row));
  const tables = {
    'X-2019-01-21.csv': dump(third.slice(3), 1e6),
    'X-2019-01-01.csv': formatCsv(first),
    'X-2019-01-11.csv': dump(broken, 1000),
  };
  const { files, ranges, verdict } = await judgeTables(tables, { gaps: 'sessions' });
  expect(files).toMatchObject([
    {
      ...{ file: 'X-*.csv', rows: 31 * day - 3, from: begin, interval: '5m' },
      parts: [
        { file: 'X-2019-01-01.csv', rows: 2880 },
        { file: 'X-2019-01-11.csv', rows: 2880 },
        { file: 'X-2019-01-21.csv', rows: 11 * day - 3 },
      ],
    },
  ]);
  expect([verdict, ranges.map(({ file, line, kind, rows: count }) => [file, line, kind, count])]).toEqual([
    'damaged',
    [
      ['X-2019-01-11.csv', 6, 'impossible', 1],
      ['X-2019-01-21.csv', 1, 'gap', 3],
    ],
  ]);
});

test('files whose rows begin with the newest are read from the newest file on', async () => {
  const tables = {
    'X-2019-01-01.csv': formatCsv(first.toReversed()),
    'X-2019-01-11.csv': dump(second.toReversed(), 1000),
    'X-2019-01-21.csv': dump(third.toReversed(), 1000),
  };
  const { files, ranges } = await judgeTables(tables, { gaps: 'sessions' }, 500);
  expect([ranges, files]).toMatchObject([
    [],
    [{ order: 'descending', rows: 31 * day, parts: [{ file: 'X-2019-01-21.csv' }, {}, {}] }],
  ]);
  const given = await judgeTables(tables, { isOneTable: true });
  expect(given.counts.breach).toBeGreaterThan(0);
});

test('a table of several files is compared with its longer candles', async () => {
  const tables = {
    'X-5m-2019-01-01.csv': formatCsv(first),
    'X-5m-2019-01-11.csv': dump(second, 1000),
    'X-1h.csv': formatCsv(rollUpRows(rows, 12)),
  };
  const { pairs, verdict } = await judgeTables(tables);
  expect([verdict, pairs]).toMatchObject([
    'sound',
    [{ longer: 'X-1h.csv', shorter: 'X-5m-*.csv', families: 480 }],
  ]);
});

test('files are one table in the order given on request', async () => {
  const tables = { b: formatCsv(first), a: formatCsv(second) };
  const joined = await judgeTables(tables, { isOneTable: true });
  expect([joined.files.map(({ file, rows: count }) => [file, count]), joined.ranges]).toEqual([
    [['b and 1 more', 5760]],
    [],
  ]);
});

test('an error names the file of the table', async () => {
  const tables = {
    'X-2019-01-01.csv': formatCsv(first),
    'X-2019-01-11.csv': 'time,open,high,low,close\n1546300800,2\n',
  };
  await expect(judgeTables(tables)).rejects.toThrow(/^X-2019-01-11\.csv: line 2: 2 columns/);
});
