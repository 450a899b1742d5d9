import { expect, test } from '@playwright/test';
import { judgeTables, listTimes, makeRows } from '../testing/tables.ts';

const hours = makeRows(listTimes(48, 3600));

test('a time that no row has is named beside the one that is read', async () => {
  const rows = hours.map((row) => ({ ...row, time: row.time * 1000, openTime: '0001-01-01T00:00:00Z' }));
  const { remarks, verdict } = await judgeTables({ a: JSON.stringify(rows) });
  expect(verdict).toBe('sound');
  expect(remarks).toEqual([expect.stringContaining('openTime is "0001-01-01T00:00:00Z" in every row')]);
});

test('asks beside bids are named as not judged', async () => {
  const head = 'time,bidopen,bidhigh,bidlow,bidclose,askopen,askhigh,asklow,askclose';
  const lines = hours.map(({ time, open, high, low, close }) =>
    [time, open, high, low, close, ...[open, high, low, close].map((price) => price + 0.01)].join(','),
  );
  const { remarks } = await judgeTables({ a: [head, ...lines].join('\n') });
  expect(remarks).toEqual([expect.stringContaining('askopen, askhigh, asklow, askclose are a second set')]);
});

test('an adjusted close beside four prices needs no remark', async () => {
  const lines = hours.map(({ time, open, high, low, close }) =>
    [time, open, high, low, close, close].join(','),
  );
  const { remarks } = await judgeTables({ a: ['time,open,high,low,close,Adj Close', ...lines].join('\n') });
  expect(remarks).toEqual([]);
});
