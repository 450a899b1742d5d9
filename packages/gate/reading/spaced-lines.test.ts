import { expect, test } from '@playwright/test';
import { begin, isoTime, judgeTables, listTimes, makeRows, type SampleRow } from '../testing/tables.ts';

const minutes = makeRows(listTimes(120, 60));
const names = ['Open', 'High', 'Low', 'Close'];
const prices = ({ open, high, low, close }: SampleRow): number[] => [open, high, low, close];

const write = (
  head: readonly string[],
  line: (row: SampleRow, at: number) => readonly (string | number)[],
): string => [head, ...minutes.map(line)].map((cells) => cells.join(' ')).join('\n');

const mark = (text: string | number): string => `"${text}"`;
const forms: Readonly<Record<string, string>> = {
  'quoted cells': write(['Open time', ...names].map(mark), (row) => [row.time, ...prices(row)].map(mark)),
  'aligned cells': write(['  Time    ', ...names], (row) => [
    `  ${row.time}`,
    ...prices(row).map((price) => String(price).padStart(9)),
  ]),
  'numbers of rows without a name': write(['Time', ...names].map(mark), (row, at) => [
    mark(at + 1),
    row.time,
    ...prices(row),
  ]),
  'times as names of rows': write(names.map(mark), (row) => [mark(isoTime(row.time)), ...prices(row)]),
  'dates beside times of day': write(['Date', 'Time', ...names], (row) => [
    isoTime(row.time),
    ...prices(row),
  ]),
  'times of two cells under one name': write(['Time', ...names], (row) => [
    isoTime(row.time),
    ...prices(row),
  ]),
  'parts of a time': write(['Year', 'Month', 'Day', 'Hour', 'Minute', ...names], (row) => [
    ...(isoTime(row.time).match(/\d+/g) ?? []).slice(0, 5),
    ...prices(row),
  ]),
  'no names': write(['2018-12-31', '23:59:00', 100, 100.5, 99.5, 100].map(String), (row) => [
    isoTime(row.time),
    ...prices(row),
  ]),
  'a last line of words': `${write(['Time', ...names], (row) => [row.time, ...prices(row)])}\nDownloaded from a site`,
};

for (const [what, text] of Object.entries(forms))
  test(`columns that spaces separate are read with ${what}`, async () => {
    for (const lines of [text, text.replaceAll('\n', '\r\n')]) {
      const { verdict, files } = await judgeTables({ a: lines }, {}, 700);
      const [file] = files;
      const more = what === 'no names' ? 1 : 0;
      expect([verdict, file?.rows, file?.from]).toEqual(['sound', 120 + more, begin - 60 * more]);
      expect(file?.form?.separator).toBe(' ');
    }
  });

test('a row that is cut off is refused with its line', async () => {
  const text = write(['Time', ...names], (row) => [row.time, ...prices(row)]);
  await expect(judgeTables({ a: `${text}\n1546307999 100 101` })).rejects.toThrow(
    'line 122: 3 columns where 5 are needed: "1546307999\\t100\\t101"; is the file cut off here?',
  );
});

test('lines of different numbers of words are refused with a remedy that works', async () => {
  const text = write(['Time', ...names, 'Adj', 'Close'], (row) => [row.time, ...prices(row), row.close]);
  const apart = text.replaceAll('Adj Close', 'AdjClose').replaceAll(' ', ',');
  await expect(judgeTables({ a: text.replace('Close', 'Close *') })).rejects.toThrow(
    'nor do spaces in the same number on each line; write a comma between them',
  );
  expect((await judgeTables({ a: apart })).verdict).toBe('sound');
});
