import { expect, test } from '@playwright/test';
import type { Gated } from './gated.ts';
import { formatCsv, judgeTables, listTimes, makeWalk, type SampleRow } from './testing/tables.ts';

const count = 3000;
const walk = makeWalk(listTimes(count, 300), 7, 0.002);

const judge = async (rows: readonly SampleRow[], isNewestFirst = false): Promise<Gated> =>
  judgeTables({ a: formatCsv(isNewestFirst ? rows.toReversed() : rows) });
const suspicions = ({ verdict, ranges }: Gated): unknown[] => [
  verdict,
  ...ranges.map(({ kind, certainty, line, rows }) => [kind, certainty, line, rows]),
];

function scaled({ open, high, low, close, ...row }: SampleRow, factor: number): SampleRow {
  return { ...row, open: open * factor, high: high * factor, low: low * factor, close: close * factor };
}

const plants: [
  what: string,
  plant: (row: SampleRow, at: number) => SampleRow,
  kind: string,
  at: number,
  rows: number,
][] = [
  [
    'a high of ten times',
    (row, at) => (at === 1500 ? { ...row, high: row.high * 10 } : row),
    'spike',
    1500,
    1,
  ],
  ['a low of a tenth', (row, at) => (at === 2999 ? { ...row, low: row.low / 10 } : row), 'spike', 2999, 1],
  [
    'a candle of 50 % more',
    (row, at) => (at === 1000 ? { ...row, high: row.close * 1.5, close: row.close * 1.5 } : row),
    'spike',
    1000,
    1,
  ],
  ['a row of twice the price', (row, at) => (at === 64 ? scaled(row, 2) : row), 'spike', 64, 1],
  ['a level of a hundredth', (row, at) => (at >= 2000 ? scaled(row, 0.01) : row), 'jump', 2000, 1],
  ['a level of one and a half', (row, at) => (at >= 20 ? scaled(row, 1.5) : row), 'jump', 20, 1],
  [
    'two hundred frozen rows',
    (row, at) =>
      at > 700 && at <= 900 ? { ...(walk[700] as SampleRow), time: row.time, volume: row.volume } : row,
    'flat',
    700,
    201,
  ],
  [
    'two hundred flat rows',
    (row, at) =>
      at >= 700 && at < 900 ? { ...scaled(row, 0), open: 100, high: 100, low: 100, close: 100 } : row,
    'flat',
    700,
    200,
  ],
];

for (const [what, plant, kind, at, rows] of plants) {
  test(`${what} is suspected once and breaks no rule`, async () => {
    const planted = walk.map(plant);
    const result = await judge(planted);
    const ranges = result.ranges.filter((range) => range.kind === kind);
    expect(ranges).toMatchObject([{ certainty: 'suspicion', line: at + 2, rows, rules: [] }]);
    expect(ranges[0]?.unusual).toBeGreaterThan(10);
    expect([result.verdict, result.counts.breach]).toEqual(['sound', 0]);
    const reversed = await judge(planted, true);
    expect(reversed.ranges.filter((range) => range.kind === kind)).toMatchObject([
      { rows, from: ranges[0]?.from },
    ]);
  });
}

test('a walk with fat tails and waves of volatility has no suspicion', async () => {
  for (const [seed, volatility] of [
    [1, 0.0003],
    [2, 0.02],
    [3, 0.03],
  ] as const) {
    const rows = makeWalk(listTimes(20_000, 60), seed, volatility);
    expect(suspicions(await judge(rows)), String(seed)).toEqual(['sound']);
  }
});

test('a market that often stands still has its own usual standstill', async () => {
  const rows = walk.map((row, at) => {
    const still = walk[at - (at % 15)] as SampleRow;
    return { ...row, open: still.close, high: still.close, low: still.close, close: still.close };
  });
  expect((await judge(rows)).ranges.filter(({ kind }) => kind === 'flat')).toEqual([]);
});

test('trades at one price are no standstill, and a frozen row is one', async () => {
  const flat = (volume: (row: SampleRow) => number): SampleRow[] =>
    walk.map((row, at) =>
      at > 700 && at <= 720
        ? { ...row, open: 100, high: 100, low: 100, close: 100, volume: volume(row) }
        : row,
    );
  const found = async (rows: readonly SampleRow[]): Promise<number> =>
    (await judge(rows)).ranges.filter(({ kind }) => kind === 'flat').length;
  expect([await found(flat(({ volume }) => volume)), await found(flat(() => 0))]).toEqual([0, 1]);
});

test('neighboring rows over a weekend are one range', async () => {
  const days = listTimes(400, 86_400).filter((time) => new Date(time * 1000).getUTCDay() % 6 !== 0);
  const rows = makeWalk(days, 7, 0.01).map((row, at) => (at > 99 && at < 120 ? { ...row, open: 0 } : row));
  expect((await judge(rows)).ranges.filter(({ certainty }) => certainty === 'breach')).toMatchObject([
    { rows: 20, line: 102, lines: [[102, 121]] },
  ]);
});
