import { expect, test } from '@playwright/test';
import type { GateRange } from './gated.ts';
import { formatCsv, judgeTables, listTimes, makeRows, makeWalk, type SampleRow } from './testing/tables.ts';

const rows = makeRows(listTimes(400, 300));

const judge = async (plant: (row: SampleRow, at: number) => SampleRow): Promise<readonly GateRange[]> =>
  (await judgeTables({ a: formatCsv(rows.map(plant)) })).ranges;

test('a close above its high by the rounding of doubles is no breach, by a millionth it is', async () => {
  const beyond = async (share: number): Promise<string[]> => {
    const ranges = await judge((row, at) => (at === 50 ? { ...row, close: row.high * (1 + share) } : row));
    return ranges.filter(({ certainty }) => certainty === 'breach').flatMap(({ rules }) => rules);
  };
  expect([await beyond(2 ** -52), await beyond(9e-10), await beyond(1e-6)]).toEqual([
    [],
    [],
    ['candle/high-is-highest'],
  ]);
});

test('a price of zero or below is blamed for its row, and high and low are not', async () => {
  for (const name of ['open', 'low', 'close'] as const)
    for (const value of [0, -3])
      expect(await judge((row, at) => (at === 50 ? { ...row, [name]: value } : row))).toMatchObject([
        {
          line: 52,
          rules: ['candle/prices-are-positive'],
          detail: `${name}: a price above zero was expected, ${value} is there`,
        },
      ]);
});

const turn = (row: SampleRow): SampleRow => ({ ...row, high: row.low, low: row.high });

test('swapped columns of high and low are one range that says so', async () => {
  expect(await judge(turn)).toMatchObject([
    {
      ...{ line: 2, rows: 400, kind: 'impossible', detail: 'high and low are swapped in every row' },
      lines: [[2, 401]],
      rules: ['candle/high-is-highest', 'candle/low-is-lowest'],
    },
  ]);
  const flat = (row: SampleRow): SampleRow => ({ ...row, open: 9, high: 9, low: 9, close: 9 });
  const some = await judge((row, at) => (at % 7 === 3 ? flat(row) : at === 399 ? row : turn(row)));
  expect(some.filter(({ certainty }) => certainty === 'breach')).toMatchObject([
    { line: 2, rows: 342, detail: 'high and low are swapped in 342 rows' },
  ]);
});

test('other damage in a table of swapped columns keeps its own words', async () => {
  const ranges = await judge((row, at) => turn(at === 50 ? { ...row, close: row.high + 1 } : row));
  expect(ranges.map(({ line, detail }) => [line, detail.slice(0, 24)])).toEqual([
    [2, 'high and low are swapped'],
    [52, 'high: at least 106.17 wa'],
  ]);
});

test('prices that fit another order than their names are one range that says which, and are judged in it', async () => {
  const walk = makeWalk(listTimes(400, 300), 7, 0.002);
  const places = ({ open, high, low, close }: SampleRow): Record<string, readonly number[]> => ({
    'low,high,open,close': [low, high, open, close],
    'open,close,high,low': [open, close, high, low],
  });
  for (const order of ['low,high,open,close', 'open,close,high,low'])
    for (const isReversed of [false, true]) {
      const misnamed = walk.map((row, at) => {
        const sound = at === 50 ? { ...row, high: row.high * 2 } : row;
        const [open = 0, high = 0, low = 0, close = 0] = places(sound)[order] ?? [];
        return { ...row, open, high, low, close };
      });
      const text = formatCsv(isReversed ? misnamed.toReversed() : misnamed);
      expect((await judgeTables({ a: text })).ranges).toMatchObject([
        { line: 2, rows: 400, detail: `the values of open,high,low,close fit ${order}; give --columns` },
        { kind: 'spike', from: walk[50]?.time },
      ]);
    }
});

test('a single swapped row is named', async () => {
  expect(await judge((row, at) => (at === 50 ? turn(row) : row))).toMatchObject([
    { line: 52, rows: 1, detail: expect.stringMatching(/^high [\d.]+ and low [\d.]+ are swapped$/) },
  ]);
});
