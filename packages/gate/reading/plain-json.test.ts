import { expect, test } from '@playwright/test';
import { judgeTables, listTimes, makeRows, type SampleRow } from '../testing/tables.ts';

const rows = makeRows(listTimes(100, 300));

/** Judges rows of JSON, and returns all but how they are written. */
async function judge(write: (row: SampleRow, at: number) => string): Promise<unknown> {
  const { verdict, ranges, files } = await judgeTables({ a: `[${rows.map(write).join(',')}]` });
  const [{ rows: count, from, to } = {}] = files;
  return { verdict, count, from, to, ranges: ranges.map(({ kind, line, detail }) => [kind, line, detail]) };
}

test('rows that are unlike the first are read as well as those that are like it', async () => {
  const broken = (row: SampleRow, at: number): SampleRow => (at === 70 ? { ...row, high: row.low - 1 } : row);
  const plain = await judge((row, at) => JSON.stringify(broken(row, at)));
  expect(plain).toMatchObject({
    verdict: 'damaged',
    count: 100,
    ranges: [['impossible', 71, expect.anything()]],
  });
  const forms: ((row: SampleRow, at: number) => string)[] = [
    (row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]))),
    (row, at) => JSON.stringify(at % 3 === 0 ? Object.fromEntries(Object.entries(row).reverse()) : row),
    (row, at) =>
      JSON.stringify({
        ...row,
        note: at % 2 === 0 ? 'a "[{,\\\\' : null,
        more: at % 5 === 0 ? [1, { a: 2 }] : 0,
      }),
    (row) => JSON.stringify(row).replaceAll(',', ' , ').replaceAll(':', ' : '),
    (row) => JSON.stringify({ ...row, time: new Date(row.time * 1000).toISOString() }),
    (row) => JSON.stringify(row).replace(/"close":[\d.]+/, (text) => `${text}e0`),
  ];
  for (const form of forms) expect(await judge((row, at) => form(broken(row, at), at))).toEqual(plain);
});

test('a cell that is no number is found among plain rows', async () => {
  const found = await judge((row, at) => JSON.stringify(at === 40 ? { ...row, close: 'n.a.' } : row));
  expect(found).toMatchObject({ ranges: [['unreadable', 41, expect.stringContaining('"n.a."')]] });
});

test('volumes of plain rows add up as their text or as doubles', async () => {
  const hours = Array.from({ length: 8 }, (_, at) => {
    const parts = rows.slice(at * 12, at * 12 + 12);
    const [first, last] = [parts[0] as SampleRow, parts.at(-1) as SampleRow];
    const volume = parts.reduce((sum, part) => sum + part.volume / 10, 0);
    const high = Math.max(...parts.map((part) => part.high));
    return { ...first, close: last.close, high, low: Math.min(...parts.map((part) => part.low)), volume };
  });
  const tenths = rows.map((row) => ({ ...row, volume: row.volume / 10 }));
  const texts = tenths.map((row) => ({ ...row, volume: row.volume.toFixed(1) }));
  const judgePair = async (parts: readonly object[], whole: readonly object[]) =>
    (await judgeTables({ 'x-5m.json': JSON.stringify(parts), 'x-1h.json': JSON.stringify(whole) })).verdict;
  expect(await judgePair(tenths, hours)).toBe('sound');
  const written = hours.map((row) => ({ ...row, volume: row.volume.toFixed(1) }));
  expect(await judgePair(texts, written)).toBe('sound');
  expect(
    await judgePair(
      texts,
      written.map((row) => ({ ...row, volume: `${Number(row.volume) + 0.1}` })),
    ),
  ).toBe('damaged');
});
