import { expect, test } from '@playwright/test';
import { formatMarket, type MarketRow, makeMarket, marketKinds } from '../testing/markets.ts';
import { judgeTables } from '../testing/tables.ts';

const kind = marketKinds.find(({ name }) => name === 'index by the minute') ?? marketKinds[0];
if (kind === undefined) throw new Error('no market');
const rows = makeMarket(kind, 3, 3000);

const cut = (row: MarketRow): MarketRow => ({
  ...row,
  high: Math.max(row.open, row.close),
  low: Math.min(row.open, row.close),
});

/** Takes the wicks of one row in six, and of some rows in a row. */
const list = async (counts: readonly number[]): Promise<number[]> => {
  const made = rows.map((row, at) => {
    const isOfRun = counts.some((count, run) => at >= 900 * (run + 1) && at < 900 * (run + 1) + count);
    return isOfRun || at % 6 === 0 ? cut(row) : row;
  });
  const { ranges } = await judgeTables({ a: formatMarket(made) }, { gaps: 'sessions', now: 4e9 });
  return ranges.flatMap(({ doubt, rows: count }) => (doubt === 'price/no-wick' ? [count] : []));
};

test('among many rows without wicks a run is suspected that no other is half as long as', async () => {
  expect(await list([])).toEqual([]);
  const [found = 0, ...others] = await list([100]);
  expect(found).toBeGreaterThanOrEqual(100);
  expect(others).toEqual([]);
  expect(await list([100, 60])).toEqual([]);
  expect(await list([70])).toEqual([]);
});
