import { expect, test } from '@playwright/test';
import { formatCsv, judgeTables, listTimes, makeRows, type SampleRow } from '../testing/tables.ts';

const rows = makeRows(listTimes(100, 60)).map((row) => ({
  ...row,
  open: 100,
  high: 101,
  low: 99,
  close: 100,
}));

async function countBreaches(change: Partial<SampleRow>): Promise<number> {
  const changed = rows.map((row, at) => (at === 50 ? { ...row, ...change } : row));
  return (await judgeTables({ a: formatCsv(changed) })).counts.breach;
}

test('a close is even with a low that is its single-precision form', async () => {
  const edges = { open: 22540, high: 22550 };
  expect(await countBreaches({ ...edges, low: 22532.05078125, close: 22532.05 })).toBe(0);
  expect(await countBreaches({ open: 128, low: 127, high: 129.11, close: 129.110001 })).toBe(0);
});

test('a low that is another number in single precision breaks the law', async () => {
  const edges = { open: 22540, high: 22550 };
  expect(await countBreaches({ ...edges, low: 22532.0625, close: 22532.05 })).toBe(1);
  expect(await countBreaches({ open: 17730, high: 17740, low: 17723.4004, close: 17723.3 })).toBe(1);
});

test('numbers of full digits that merely share a single are two', async () => {
  expect(await countBreaches({ open: 22540, high: 22550, low: 22532.0501, close: 22532.05 })).toBe(1);
});
