import { expect, test } from '@playwright/test';
import type { Gated } from '../gated.ts';
import { formatCsv, judgeTables, listTimes, makeRows } from '../testing/tables.ts';

const rows = makeRows(listTimes(60, 300));
const names = ['time', 'open', 'high', 'low', 'close', 'volume', 'average'];
const none = ['-', 'null'];
const noNumbers = ['abc', 'NaN', 'Infinity', '-Infinity', '1e400', '0xFF', ...none, '1 00'];

/** Sound rows, one cell of the line `at` replaced; the average is the open. */
function withCell(at: number, column: number, text: string): string {
  const lines = formatCsv(rows).trimEnd().split('\n').slice(1);
  const cells = [names, ...lines.map((line) => [...line.split(','), line.split(',')[1] ?? ''])];
  return cells.map((cell, index) => (index === at - 1 ? cell.with(column, text) : cell).join(',')).join('\n');
}

const unreadable = ({ verdict, ranges }: Gated) => [
  verdict,
  ...ranges.filter(({ kind }) => kind === 'unreadable').map(({ line, detail }) => [line, detail]),
];

for (const [column, name] of names.entries()) {
  if (name === 'time') continue;
  test(`a cell of the ${name} that is not a finite number is damage, with its line and column`, async () => {
    expect((await judgeTables({ a: withCell(40, column, '9999') })).files[0]?.rows).toBe(60);
    const mayLack = name === 'volume' || name === 'average';
    for (const text of noNumbers.filter((each) => !mayLack || !none.includes(each))) {
      const result = await judgeTables({ a: withCell(40, column, text) });
      expect(unreadable(result), text).toEqual([
        'damaged',
        [40, `${name}: a number was expected, ${JSON.stringify(text)} is there`],
      ]);
    }
  });
}

test('JSON values that are not finite numbers are damage and null is missing', async () => {
  const result = async (volume: string): Promise<Gated> =>
    judgeTables({
      a: rows
        .map((row, at) => JSON.stringify({ ...row, volume: at < 30 ? 0 : at }).replace(':0}', `:${volume}}`))
        .join('\n'),
    });
  for (const volume of ['"abc"', '1e400', 'true', '[]', '{}', '"0xFF"'])
    expect((await result(volume)).verdict, volume).toBe('damaged');
  const { verdict, remarks } = await result('null');
  expect([verdict, remarks]).toEqual([
    'sound',
    ['a: volume is left out in 30 of 60 rows, and not judged there'],
  ]);
});

test('a row with text in all four prices is damage and not a gap, even the first one', async () => {
  const [, first, ...others] = formatCsv(rows).split('\n');
  const time = first?.split(',')[0];
  const columns = { inOrder: ['time', 'open', 'high', 'low', 'close', 'volume'] as const };
  const text = [`${time},x,x,x,x,7`, ...others].join('\n');
  expect(unreadable(await judgeTables({ a: text }, { columns }))).toEqual([
    'damaged',
    [1, 'open: a number was expected, "x" is there'],
  ]);
});

test('lines of dividends and splits among the rows are counted, and are neither damage nor rows', async () => {
  const [head = '', first = '', ...others] = formatCsv(rows).trimEnd().split('\n');
  const time = first.split(',')[0];
  for (const event of ['0.24 Dividend,,,,', '0.24 Dividend', Array(5).fill('2:1 Stock Splits').join(',')]) {
    const text = [head, first, `${time},${event}`, ...others].join('\n');
    const { verdict, files } = await judgeTables({ a: text });
    expect([verdict, files[0]?.rows, files[0]?.blank], event).toEqual(['sound', 61, 1]);
  }
});

test('missing volumes are remarked on and not counted as judged', async () => {
  const { verdict, remarks } = await judgeTables({ a: withCell(40, 5, '') });
  expect([verdict, remarks]).toEqual([
    ...['sound', ['a: volume is left out in 1 of 60 rows, and not judged there']],
  ]);
});

test('a column whose name only starts like volume is not the volume', async () => {
  const text = formatCsv(rows)
    .replace('Volume', 'Volatility')
    .replaceAll(/,\d+\n/g, ',high\n');
  expect((await judgeTables({ a: text })).verdict).toBe('sound');
});

test('times of January 1970 at fractions of a minute are refused with the unit that was taken', async () => {
  const rows = makeRows(listTimes(90, 60, 1_726_000_000 - (1_726_000_000 % 60)));
  const lines = rows.map(({ time, open, high, low, close }) =>
    [new Date(time).toISOString().replace('T', ' ').replace('Z', ''), open, high, low, close].join(','),
  );
  await expect(judgeTables({ a: ['time,open,high,low,close', ...lines].join('\n') })).rejects.toThrow(
    /first weeks of 1970, 0.06 s apart; times 1,000 they begin on 2024-09-10, 60 s apart, as if seconds were taken for ms/,
  );
});

test('seconds that count from before 1970 to after it are of one unit', async () => {
  const rows = makeRows(listTimes(3000, 86_400, -1500 * 86_400));
  const lines = rows.map(({ time, open, high, low, close }) => [time, open, high, low, close].join(','));
  const { verdict } = await judgeTables({ a: ['time,open,high,low,close', ...lines].join('\n') });
  expect(verdict).toBe('sound');
});

test('days of January 1970 are days', async () => {
  const rows = makeRows(listTimes(20, 86_400, 0));
  const lines = rows.map(({ time, open, high, low, close }) =>
    [new Date(time * 1000).toISOString().slice(0, 10), open, high, low, close].join(','),
  );
  const { verdict } = await judgeTables({ a: ['time,open,high,low,close', ...lines].join('\n') });
  expect(verdict).toBe('sound');
});
