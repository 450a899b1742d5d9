import { expect, test } from '@playwright/test';
import type { GateRange } from './gated.ts';
import { begin, formatCsv, judgeTables, listTimes, makeWalk, type SampleRow } from './testing/tables.ts';

const [hour, day] = [3600, 86_400];
const isWeekday = (time: number): boolean => new Date(time * 1000).getUTCDay() % 6 !== 0;
const weekdays = listTimes(420, day).filter(isWeekday);

async function find(rows: readonly SampleRow[]): Promise<readonly GateRange[]> {
  const { ranges } = await judgeTables({ a: formatCsv(rows) }, { gaps: 'sessions', now: 4e9 });
  return ranges.filter(({ certainty }) => certainty !== 'observed');
}

test('half an hour that a break cuts short is no second row, but a row twice is one', async () => {
  const starts = [9.5, 10, 10.25, 11, 11.5, 14, 14.5, 15];
  const rows = makeWalk(
    weekdays.flatMap((date) => starts.map((hours) => date + hours * hour)),
    3,
    0.002,
  );
  expect(await find(rows)).toEqual([]);
  const twice = rows.toSpliced(800, 0, rows[802] as SampleRow, rows[802] as SampleRow);
  expect((await find(twice)).map(({ certainty }) => certainty)).toContain('breach');
});

test('days may move by two hours with the clocks of two zones', async () => {
  const clock = (date: number): number => {
    const month = new Date(date * 1000).getUTCMonth();
    return month < 2 || month === 11 ? 3 : month < 9 ? 1 : 2;
  };
  const rows = makeWalk(weekdays, 5, 0.01).map((row) => ({
    ...row,
    time: row.time + clock(row.time) * hour,
  }));
  expect(await find(rows)).toEqual([]);
});

test('prices of five digits lose a decimal at 100, and are not rounded', async () => {
  const rows = makeWalk(listTimes(1200, hour), 7, 0.004).map((row, at) => {
    const base = (at >= 400 && at < 800 ? 140 : 60) / row.open;
    const write = (price: number): number => Number((price * base * (1 + at / 1e5)).toPrecision(5));
    const [open, close] = [write(row.open), write(row.close)];
    return { ...row, open, close, high: write(row.high), low: write(row.low) };
  });
  expect((await find(rows)).filter(({ doubt }) => doubt === 'price/rounded')).toEqual([]);
});

test('an index that rises by half in a hole of a year and a half is no other series', async () => {
  const series = async (factor: number): Promise<number> => {
    const rows = makeWalk(listTimes(400, day, begin), 9, 0.01).map((row, at) => {
      const times = at < 200 ? 1 : factor;
      const [open, high, low, close] = [row.open, row.high, row.low, row.close].map((price) => price * times);
      return {
        ...row,
        ...({ open, high, low, close } as SampleRow),
        time: row.time + (at < 200 ? 0 : 540 * day),
      };
    });
    return (await find(rows)).filter(({ doubt }) => doubt === 'table/other-series').length;
  };
  expect([await series(1.5), await series(4)]).toEqual([0, 1]);
});

test('two prices and a volume that come again are the trades of a bot; three prices are a copy', async () => {
  const walk = makeWalk(listTimes(3000, 60), 11, 0.001);
  const copied = (row: SampleRow): Promise<readonly GateRange[]> =>
    find(walk.map((each, at) => (at === 1500 || at === 1501 ? { ...row, time: each.time } : each)));
  const row = { ...(walk[1500] as SampleRow), volume: 20.04209 };
  const pair = { ...row, open: row.low, close: row.high };
  expect(await copied(pair)).toEqual([]);
  expect((await copied(row)).map(({ kind, certainty }) => [kind, certainty])).toEqual([['copy', 'breach']]);
});

test('a missing hour beside a single trade is a note, as in the first days of a venue', async () => {
  const rows = makeWalk(listTimes(2000, hour), 13, 0.004);
  const gaps = async (isSingle: boolean): Promise<readonly string[]> => {
    const table = rows.map((row, at) =>
      isSingle && at === 40 ? { ...row, ...{ open: 100, high: 100, low: 100, close: 100 }, volume: 1 } : row,
    );
    return (await find(table.toSpliced(41, 2)))
      .filter(({ kind }) => kind === 'gap')
      .map(({ certainty }) => certainty);
  };
  expect([await gaps(true), await gaps(false)]).toEqual([[], ['breach']]);
});
