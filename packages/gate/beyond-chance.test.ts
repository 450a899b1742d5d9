import { expect, test } from '@playwright/test';
import type { Gated, Tolerable } from './gated.ts';
import { formatCsv, judgeTables, listTimes, makeWalk, type SampleRow } from './testing/tables.ts';

const walk = makeWalk(listTimes(3000, 300), 7, 0.002);

const judge = (rows: readonly SampleRow[], tolerated: readonly Tolerable[] = []): Promise<Gated> =>
  judgeTables({ a: formatCsv(rows) }, { tolerated });

const plants: readonly [string, Tolerable, (row: SampleRow, at: number) => SampleRow][] = [
  ['open and close swapped in every row', 'swapped', (row) => ({ ...row, open: row.close, close: row.open })],
  [
    'a day repeated',
    'copy',
    (row, at) => (at >= 1500 && at < 1788 ? { ...(walk[at - 288] as SampleRow), time: row.time } : row),
  ],
  [
    'volumes a thousand times higher in a part of the rows',
    'volume',
    (row, at) => (at >= 1500 ? { ...row, volume: row.volume * 1000 } : row),
  ],
  ['a wick of ten times', 'spike', (row, at) => (at === 1500 ? { ...row, high: row.high * 10 } : row)],
];

for (const [name, kind, plant] of plants) {
  test(`${name} is beyond chance, and fails unless it is tolerated`, async () => {
    const rows = walk.map(plant);
    const { verdict, failing, counts } = await judge(rows);
    expect([verdict, failing, counts.breach]).toEqual(['suspected', [kind], 0]);
    expect((await judge(rows, [kind])).verdict).toBe('sound');
  });
}

test('a suspicion that a market may have a reason for does not fail', async () => {
  const split = walk.map((row, at): SampleRow => {
    if (at < 1500) return row;
    const [open, high, low, close] = [row.open, row.high, row.low, row.close].map((price) => price / 2);
    return { ...row, open, high, low, close } as SampleRow;
  });
  const frozen = walk.map((row, at) =>
    at > 700 && at <= 900 ? { ...(walk[700] as SampleRow), time: row.time, volume: row.volume } : row,
  );
  for (const rows of [split, frozen]) {
    const { verdict, failing, counts } = await judge(rows);
    expect([verdict, failing, counts.suspicion]).toEqual(['sound', [], 1]);
  }
});
