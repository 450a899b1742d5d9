import { expect, test } from '@playwright/test';
import { formatCsv, judgeTables, listTimes, makeWalk } from '../testing/tables.ts';

/** Returns the words about volumes that are some times higher from row 300 of 600 on, at a price of about 100. */
async function explain(times: number, price = 1, until = 600): Promise<string | undefined> {
  const rows = makeWalk(listTimes(600, 86_400), 1, 0.001).map((row, at) => ({
    ...row,
    ...{ open: row.open * price, high: row.high * price, low: row.low * price, close: row.close * price },
    volume: row.volume * (at < 300 || at >= until ? 1 : times),
  }));
  const { ranges } = await judgeTables({ a: formatCsv(rows) }, { gaps: 'sessions' });
  return ranges.find(({ doubt }) => doubt === 'volume/level')?.detail;
}

test('volumes of another level are named by a power of ten, the price or both', async () => {
  expect(await explain(1000)).toMatch(
    /^volumes are [\d,]+ times higher .*, as in another unit: 1,000 times$/,
  );
  expect(await explain(4000, 40)).toMatch(
    /times higher from here on, as turnovers beside volumes: the price is \d/,
  );
  expect(await explain(100)).toMatch(/another unit: 100 times, or turnovers beside volumes: the price is \d/);
  expect(await explain(3500)).toMatch(/times higher from here on$/);
});

test('a level that ends after ten rows is named by these', async () => {
  expect(await explain(1000, 1, 312)).toMatch(/higher from here on, as in another unit: 1,000 times$/);
});

test('a level shows beside small volumes on both sides, and where prices move more, as at an open', async () => {
  const judge = async (times: number, lively: number): Promise<(string | undefined)[]> => {
    const all = makeWalk(listTimes(600, 14_400), 1, 0.001).map((row, at) => {
      const wick = at < 300 ? 0 : lively * (row.high - row.low);
      const volume = row.volume * (at % 4 === 0 ? 0.01 : 1) * (at < 298 ? 1 : times);
      return { ...row, high: row.high + wick, volume };
    });
    const { ranges } = await judgeTables({ a: formatCsv(all) }, { gaps: 'observe' });
    return ranges.map(({ doubt, line }) => (doubt === 'volume/level' ? `${line}` : doubt));
  };
  expect(await judge(1000, 0)).toEqual(['300']);
  expect(await judge(100, 0)).toEqual([]);
  expect(await judge(1000, 4)).toEqual(['300']);
  expect(await judge(1000, 20)).toEqual([]);
});

test('volumes at the close of a session are of no other unit, which two days would show', async () => {
  const judge = async (rows: number): Promise<(string | undefined)[]> => {
    const all = makeWalk(listTimes(rows, 300), 1, 0.001).map((row, at) => ({
      ...row,
      volume: row.volume * (at < rows / 2 ? 1000 : 1),
    }));
    const { ranges } = await judgeTables({ a: formatCsv(all) }, { gaps: 'observe' });
    return ranges.map(({ doubt }) => doubt);
  };
  expect([await judge(100), await judge(600)]).toEqual([[], ['volume/level']]);
});
