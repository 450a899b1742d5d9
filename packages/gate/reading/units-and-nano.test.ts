import { expect, test } from '@playwright/test';
import { formatCsv, isoTime, judgeTables, listTimes, makeRows } from '../testing/tables.ts';

const hours = makeRows(listTimes(48, 3600));

/** Writes a price as whole units and billionths; none of these if they are 0. */
function split(price: number): object {
  const cents = Math.round(price * 100);
  const [units, nano] = [String(Math.trunc(cents / 100)), (cents % 100) * 1e7];
  return nano === 0 ? { units } : { units, nano };
}

const written = hours.map(({ time, open, high, low, close, volume }) => ({
  ...{ time: isoTime(time), volume: String(volume) },
  ...{ open: split(open), high: split(high), low: split(low), close: split(close) },
}));

test('prices in units and billionths are those of the same table in decimals', async () => {
  const tables = { a: JSON.stringify({ candles: written }), b: formatCsv(hours) };
  const { files, same } = await judgeTables(tables, { isSame: true });
  expect([files[0]?.form?.columns.open, same?.compared, same?.differing]).toEqual(['open', 48, 0]);
});

test('a price below zero has a sign on either part, and one of two signs is unreadable', async () => {
  const [low, high] = [
    { units: '0', nano: -500_000_000 },
    { units: '1', nano: -1 },
  ];
  const damaged = written.map((row, at) => ({ ...row, ...(at === 5 && { high }), ...(at === 9 && { low }) }));
  expect((await judgeTables({ a: JSON.stringify(damaged) })).ranges).toMatchObject([
    { kind: 'unreadable', line: 6, detail: expect.stringContaining('nano') },
    { kind: 'impossible', line: 10, detail: expect.stringContaining('-0.5') },
  ]);
});
