import { expect, test } from '@playwright/test';
import { formatCsv, isoTime, judgeTables, listTimes, makeRows, type SampleRow } from './testing/tables.ts';

const times = listTimes(5000, 300);
const one = makeRows(times);
const scale = (rows: readonly SampleRow[], factor: number): SampleRow[] =>
  rows.map(({ time, volume, ...prices }) => {
    const [open, high, low, close] = [prices.open, prices.high, prices.low, prices.close].map(
      (price) => price * factor,
    ) as [number, number, number, number];
    return { time, volume, open, high, low, close };
  });
const other = scale(one, 1.5);

const refuse = (rows: readonly SampleRow[]): Promise<unknown> => judgeTables({ a: formatCsv(rows) });

test('two symbols one after the other are refused with the line of the second', async () => {
  for (const [first, second] of [
    [one, other],
    [one.slice(0, 50), other.slice(0, 50)],
    [one.slice(600), other],
    [one, other.slice(3000)],
    [one.toReversed(), other.toReversed()],
  ] as const) {
    const begin = `${isoTime(second[0]?.time ?? 0).replace(' ', 'T')}Z`;
    await expect(refuse([...first, ...second])).rejects.toThrow(
      `a: line ${first.length + 2}: times begin again at ${begin} with other prices, as in a second table of another symbol; give a file of each`,
    );
  }
});

test('hours of a clock of twelve without a.m. or p.m. are refused with the line at which they go back', async () => {
  const text = formatCsv(one).replace(/ (\d\d):/g, (_, hours) => ` ${((Number(hours) + 11) % 12) + 1}:`);
  await expect(judgeTables({ a: text })).rejects.toThrow(
    /^a: line \d+: the time goes back by 12 hours to 2019-01-01T01:00:00Z, as on a clock without a\.m\. or p\.m\.; export hours from 0 to 23$/,
  );
});

test('rows that come again with their own prices, or a few with others, are duplicates', async () => {
  const again = await judgeTables({ a: formatCsv([...one, ...one]) });
  expect(again.ranges).toMatchObject([{ kind: 'duplicate', rows: 5000 }]);
  const few = await judgeTables({ a: formatCsv([...one, ...other.slice(40, 44)]) });
  expect(few.ranges.map(({ kind }) => kind)).toContain('duplicate');
  const corrected = scale(one.slice(100, 140), 1.002);
  expect((await judgeTables({ a: formatCsv([...one, ...corrected]) })).verdict).toBe('damaged');
});

test('a second table is found in the file in which it begins', async () => {
  const parts = { 'x-2019-01-01.csv': formatCsv(one), 'x-2019-01-02.csv': formatCsv(other) };
  await expect(judgeTables(parts)).rejects.toThrow(
    'x-2019-01-02.csv: line 2: times begin again at 2019-01-01T',
  );
});
