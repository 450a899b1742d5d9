import { expect, test } from '@playwright/test';
import type { Gated } from './gated.ts';
import { formatCsv, judgeTables, listTimes, makeWalk, type SampleRow } from './testing/tables.ts';

const walk = makeWalk(listTimes(3000, 300), 3, 0.002);

const change = (rows: readonly SampleRow[], factor: number, later = 0, from = 0): SampleRow[] =>
  rows.slice(from).map(({ time, volume, ...prices }, at) => {
    // Another source differs by some hundredths of a percent.
    const noise = 1 + 0.00002 * Math.sin(at * 7);
    const [open, high, low, close] = [prices.open, prices.high, prices.low, prices.close].map(
      (price) => price * factor * noise,
    ) as [number, number, number, number];
    return { time: time + later, volume: volume * 3, open, high, low, close };
  });

const compare = async (one: readonly SampleRow[], other: readonly SampleRow[]): Promise<Gated> =>
  judgeTables({ 'a.csv': formatCsv(one), 'b.csv': formatCsv(other) }, { isSame: true });

test('two sources of one market are aligned by label, unit and start, and do not differ', async () => {
  for (const [factor, later, from] of [
    [1, 0, 0],
    [100, 300, 0],
    [0.001, 7200, 900],
  ] as const) {
    const { same } = await compare(walk.slice(from), change(walk, factor, later, from));
    expect(same, `${factor} ${later}`).toMatchObject({ isAligned: true, shift: later, differences: [] });
    expect(same?.unit).toBeCloseTo(1 / factor, 9);
    expect(same?.compared).toBe(3000 - from);
  }
});

test('a difference is listed with the side that the law doubts, if it doubts one', async () => {
  const other = change(walk, 1).flatMap((row, at): SampleRow[] => {
    if (at === 700) return [{ ...row, high: row.high * 10 }];
    if (at === 900) return [{ ...row, low: row.high * 2 }];
    if (at === 1100) return [{ ...row, close: row.close * 1.004, high: row.high * 1.004 }];
    return at === 1500 ? [] : [row];
  });
  const { same } = await compare(walk, other);
  expect(same?.differences.map(({ fromIso, rows, doubted }) => [fromIso, rows, doubted])).toEqual([
    ['2019-01-03T10:20:00Z', 1, ['b.csv']],
    ['2019-01-04T03:00:00Z', 1, ['b.csv']],
    ['2019-01-04T19:40:00Z', 1, []],
    ['2019-01-06T05:00:00Z', 1, []],
  ]);
});

test('rows before the other table begins are one range of one side', async () => {
  const { same } = await compare(walk, change(walk, 1, 0, 2000));
  expect(same).toMatchObject({
    compared: 1000,
    differences: [{ rows: 2000, detail: 'rows of the first only' }],
  });
});

test('newest rows first are compared as well, other intervals and numbers of tables are refused', async () => {
  const { same } = await compare(walk.toReversed(), change(walk, 1).toReversed());
  expect(same).toMatchObject({ compared: 3000, differences: [] });
  const hours = makeWalk(listTimes(300, 3600), 3, 0.002);
  await expect(compare(walk, hours)).rejects.toThrow(
    '--same: takes tables of one interval and order; a.csv is of 5m, b.csv of 1h',
  );
  await expect(judgeTables({ 'a.csv': formatCsv(walk) }, { isSame: true })).rejects.toThrow(
    '--same: takes two tables, 1 were given',
  );
});

test('rows that differ are the verdict, and one pattern explains them', async () => {
  const flat = ({ open, high, low, ...row }: SampleRow): SampleRow => {
    return { ...row, open: row.close, high: row.close, low: row.close };
  };
  const cases: [(row: SampleRow) => SampleRow, string][] = [
    [flat, '100 rows of b.csv are frozen at one price each, the close of a.csv'],
    [(row) => ({ ...row, high: row.high * 1.01, low: row.low * 0.99 }), 'only high and low differ'],
    [
      ({ open, high, low, close, ...row }) => {
        return { ...row, open: open * 1.1, high: high * 1.1, low: low * 1.1, close: close * 1.1 };
      },
      'prices of a.csv are 0.9091 times those of b.csv',
    ],
  ];
  for (const [plant, pattern] of cases) {
    const other = walk.map((row, at) => (at >= 500 && at < 600 ? plant(row) : row));
    const { verdict, same } = await judgeTables(
      { 'a.csv': formatCsv(walk), 'b.csv': formatCsv(other) },
      { isSame: true },
    );
    expect([verdict, same?.differing, same?.pattern]).toEqual(['different', 100, pattern]);
  }
});

test('rows before or after the other table are no difference of the two', async () => {
  const { verdict, same } = await compare(walk, walk.slice(400, 2000));
  expect([verdict, same?.differing]).toEqual(['sound', 0]);
  const { verdict: other } = await compare(walk, walk.toSpliced(1000, 30));
  expect(other).toBe('different');
});
