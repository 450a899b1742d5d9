import { expect, test } from '@playwright/test';
import type { Gated } from '../gated.ts';
import { begin, formatCsv, judgeTables, makeWalk, rollUpRows, type SampleRow } from '../testing/tables.ts';

const day = 86_400;

/** Starts of the half hours of `count` sessions of 13 of them, which begin at 14:30, an hour earlier from day 70 on. */
const sessions = Array.from({ length: 200 }, (_, at) => begin + at * day)
  .filter((date) => new Date(date * 1000).getUTCDay() % 6 !== 0)
  .map((date, at) => date + 14.5 * 3600 - (at > 70 ? 3600 : 0));
const halves = makeWalk(
  sessions.flatMap((open) => Array.from({ length: 13 }, (_, at) => open + at * 1800)),
  5,
  0.003,
).map((row): SampleRow => {
  const [open, high, low, close] = [row.open, row.high, row.low, row.close].map(
    (price) => Math.round(price * 100) / 100,
  ) as [number, number, number, number];
  return { ...row, open, high, low, close };
});
const days = rollUpRows(halves, 13).map((row) => ({ ...row, time: row.time - (row.time % day) }));

const judge = (shorter: readonly SampleRow[], longer: readonly SampleRow[]): Promise<Gated> =>
  judgeTables({ 'x-30m.csv': formatCsv(shorter), 'x-1d.csv': formatCsv(longer) });
const rollUps = ({ ranges, verdict }: Gated): unknown[] => [
  verdict,
  ...ranges
    .filter(({ kind }) => kind === 'rollup')
    .map(({ line, rows, certainty, rules }) => [line, rows, certainty, rules.length]),
];

const scale = (row: SampleRow, factor: number): SampleRow => ({
  ...row,
  ...{ open: row.open * factor, high: row.high * factor, low: row.low * factor, close: row.close * factor },
});

test('the half hours of sessions make the days, under both clocks', async () => {
  const result = await judge(halves, days);
  expect(rollUps(result)).toEqual(['sound']);
  expect(result.pairs).toMatchObject([{ families: days.length, isOfSessions: true }]);
});

test('a close, a high or a volume that its session has not is damage of that day', async () => {
  for (const change of [
    (row: SampleRow) => ({ ...row, close: row.low }),
    (row: SampleRow) => ({ ...row, high: row.high * 1.1 }),
    (row: SampleRow) => ({ ...row, volume: row.volume + 500 }),
  ])
    expect(rollUps(await judge(halves, days.with(90, change(days[90] as SampleRow))))).toEqual([
      'damaged',
      [92, 1, 'breach', 1],
    ]);
});

test('hours before and after the session, short days and lost rows are no damage', async () => {
  const extended = halves.flatMap((row, at): SampleRow[] => {
    const early = { ...scale(row, 1.02), time: row.time - 1800 };
    if (at % 13 === 0) return [early, row];
    return at % 13 === 12 ? [row, { ...scale(row, 0.97), time: row.time + 1800 }] : [row];
  });
  const result = await judge(extended, days);
  expect([rollUps(result), result.pairs[0]?.families]).toEqual([['sound'], days.length]);
  const short = halves.filter((_, at) => Math.floor(at / 13) !== 40 || at % 13 < 6);
  const fewer = await judge(short, days);
  expect([rollUps(fewer), fewer.pairs[0]?.families]).toEqual([['sound'], days.length - 1]);
});

test('days whose closes are those of auctions are not judged by them', async () => {
  const auctions = days.map((row, at) => {
    const close = at % 3 === 0 ? row.close : Math.min(row.high, row.close + 0.01);
    return { ...row, close };
  });
  const result = await judge(halves, auctions);
  expect(rollUps(result)).toEqual(['sound']);
  expect(result.pairs[0]?.notJudged).toMatch(/^close of \d+ days: more than one in ten/);
  const high = auctions.with(90, { ...(auctions[90] as SampleRow), high: 999 });
  expect(rollUps(await judge(halves, high))).toEqual(['damaged', [92, 1, 'breach', 1]]);
});

test('days in another unit than their sessions are one range with the factor', async () => {
  for (const [from, rows] of [
    [0, days.length],
    [50, days.length - 50],
  ] as const) {
    const result = await judge(
      halves,
      days.map((row, at) => (at >= from ? scale(row, 1 / 28) : row)),
    );
    expect(rollUps(result).slice(0, 2)).toEqual(['damaged', [from + 2, rows, 'breach', 4]]);
    const [range] = result.ranges.filter(({ kind }) => kind === 'rollup');
    expect(range?.detail).toBe(`the prices of ${rows} days are 1/28 of those of their sessions`);
  }
});

test('two markets are not compared by their sessions', async () => {
  const other = rollUpRows(
    makeWalk(
      halves.map(({ time }) => time),
      9,
      0.003,
    ),
    13,
  );
  const result = await judge(
    halves,
    other.map((row) => ({ ...row, time: row.time - (row.time % day) })),
  );
  expect(rollUps(result)).toEqual(['sound']);
  expect(result.pairs[0]?.notJudged).toMatch(/of another market$/);
});
