import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import type { Gated, GateRange } from './gated.ts';
import {
  begin,
  formatCsv,
  isoTime,
  judgeTables,
  listTimes,
  makeRows,
  type SampleRow,
} from './testing/tables.ts';

const fiveMinutes = 300;
const breaches = ({ ranges }: Gated): GateRange[] => ranges.filter(({ certainty }) => certainty === 'breach');

/** Starts in markets that rest: hours without weekends, business days, months by their last day. */
const hours = listTimes(24 * 200, 3600).filter((time) => {
  const weekHour = ((time - begin) / 3600 + 24) % 168;
  return weekHour < 117 || weekHour >= 165;
});
const businessDays = listTimes(1500, 86_400).filter(
  (time) => ![6, 0].includes(new Date(time * 1000).getUTCDay()),
);

const months = Array.from({ length: 156 }, (_, at) => Date.UTC(2012, at + 1, 0) / 1000);

test('hours without weekends are sound and every weekend is listed', async () => {
  const result = await judgeTables({ a: formatCsv(makeRows(hours)) });
  expect([result.verdict, result.files[0]?.interval, breaches(result)]).toEqual(['sound', '1h', []]);
  expect(result.ranges.filter(({ kind }) => kind === 'gap')).toHaveLength(28);
  expect(result.ranges.every(({ kind, rows }) => kind === 'gap' && rows === 48)).toBe(true);
});

test('missing intervals of business days are damage only on request', async () => {
  const text = formatCsv(makeRows(businessDays), (seconds) => isoTime(seconds).slice(0, 10));
  const [observe, idle, none] = await Promise.all(
    (['observe', 'idle', 'none'] as const).map((gaps) => judgeTables({ a: text }, { gaps })),
  );
  expect([observe?.verdict, observe?.counts]).toEqual(['sound', { breach: 0, suspicion: 0, observed: 214 }]);
  expect([idle?.verdict, idle?.ranges, idle?.files[0]?.gaps.intervals]).toEqual(['sound', [], 428]);
  expect([none?.verdict, none?.counts.breach, none?.ranges[0]?.rules]).toEqual([
    'damaged',
    214,
    ['history/complete'],
  ]);
});

test('the grid of months is not judged but their prices, gaps and second rows are', async () => {
  const rows = makeRows(months);
  const text = (all: SampleRow[]): string => formatCsv(all, (seconds) => isoTime(seconds).slice(0, 10));
  const sound = await judgeTables({ a: text(rows) });
  expect([sound.verdict, sound.ranges, sound.files[0]?.interval]).toEqual(['sound', [], '1M']);
  expect(sound.files[0]?.gridNotJudged).toBe('months are of unequal length');
  for (const gaps of ['sessions', 'none'] as const) {
    const lacking = await judgeTables({ a: text(rows.filter((_, at) => at !== 7 && at !== 8)) }, { gaps });
    expect(lacking.ranges, gaps).toMatchObject([
      {
        kind: 'gap',
        certainty: gaps === 'none' ? 'breach' : 'suspicion',
        from: rows[7]?.time,
        rows: 2,
        line: 9,
      },
    ]);
  }
  const [last] = rows.slice(-1) as [SampleRow];
  const live = { ...last, time: last.time - 9 * 86_400, volume: 1 };
  expect(breaches(await judgeTables({ a: text([...rows.slice(0, -1), live, last]) }))).toMatchObject([
    { kind: 'duplicate' },
  ]);
  const broken = rows.map((row, at) => (at === 7 ? { ...row, high: 1 } : row));
  expect(breaches(await judgeTables({ a: text(broken) }))).toMatchObject([
    { line: 9, rules: expect.arrayContaining(['candle/high-is-highest']) },
  ]);
});

test('hours that begin with a session between two of them are on the grid', async () => {
  const times = listTimes(20, 86_400).flatMap((day) =>
    [9.5, 10, 11, 12, 13, 14].map((hour) => day + hour * 3600),
  );
  const rows = makeRows(times);
  expect((await judgeTables({ a: formatCsv(rows) })).verdict).toBe('sound');
  const stray = rows.map((row, at) => (at === 45 ? { ...row, time: row.time + 1800 } : row));
  expect(breaches(await judgeTables({ a: formatCsv(stray) }))).toMatchObject([
    { kind: 'misplaced', line: 47 },
  ]);
});

test('an average of fewer digits than the prices may lie half a digit away', async () => {
  const rows = makeRows(listTimes(60, 300)).map((row) => ({
    ...row,
    close: row.open,
    high: row.open,
    low: row.open,
  }));
  const text = (off: number): string =>
    ['time,open,high,low,close,average']
      .concat(
        rows.map(({ time, open }, at) =>
          [
            time,
            open,
            open,
            open,
            open,
            (Math.round(open * 10) / 10 + (at === 30 ? off : 0)).toFixed(1),
          ].join(','),
        ),
      )
      .join('\n');
  expect((await judgeTables({ a: text(0) })).verdict).toBe('sound');
  expect(breaches(await judgeTables({ a: text(0.1) }))).toMatchObject([{ kind: 'impossible', line: 32 }]);
});

test('days that begin an hour earlier in summer are on the grid', async () => {
  const times = listTimes(400, 86_400).map(
    (time) => time + ((time - begin) / 86_400 > 90 && (time - begin) / 86_400 < 300 ? 4 : 5) * 3600,
  );
  const result = await judgeTables({ a: formatCsv(makeRows(times)) });
  expect([result.verdict, result.ranges]).toEqual(['sound', []]);
});

test('two sessions across a change of clocks are of days', async () => {
  const [friday, monday] = [Date.UTC(2024, 2, 8, 5) / 1000, Date.UTC(2024, 2, 11, 4) / 1000];
  const tuesday = monday + 86_400;
  for (const times of [
    [friday, monday],
    [monday, friday],
    [friday, monday, tuesday],
    [friday - 86_400, friday, monday],
  ]) {
    const { verdict, files } = await judgeTables({ a: formatCsv(makeRows(times)) });
    expect([verdict, files[0]?.interval]).toEqual(['sound', '1d']);
  }
});

test("an interval that is not the table's is refused once", async () => {
  const text = formatCsv(makeRows(listTimes(6, fiveMinutes)));
  await expect(judgeTables({ a: text }, { intervals: [3600] })).rejects.toThrow(
    'a: line 2: 1h does not belong to this 5m file; fix --interval',
  );
  expect((await judgeTables({ a: text }, { intervals: [60] })).files[0]?.interval).toBe('1m');
});

test('tables with the newest row first are sound', async () => {
  const rows = makeRows(listTimes(3000, fiveMinutes));
  const sound = await judgeTables({ a: formatCsv(rows.toReversed()) });
  expect([sound.verdict, sound.ranges, sound.files[0]?.order]).toEqual(['sound', [], 'descending']);
  const holed = rows.filter((_, at) => at < 1000 || at > 1004).toReversed();
  const { ranges } = await judgeTables({ a: formatCsv(holed) });
  expect(ranges).toMatchObject([
    { kind: 'gap', rows: 5, from: begin + 1000 * fiveMinutes, to: begin + 1005 * fiveMinutes },
  ]);
});

test('sound tables never have a breach', async () => {
  const tables = fc.record({
    step: fc.constantFrom(60, 300, 3600, 14_400, 86_400, 604_800),
    from: fc.integer({ min: -1e9, max: 1.7e9 }),
    kept: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 30, maxLength: 200 }),
    isNewestFirst: fc.boolean(),
    price: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    bytes: fc.integer({ min: 7, max: 5000 }),
  });
  await fc.assert(
    fc.asyncProperty(tables, async ({ step, from, kept, isNewestFirst, price, bytes }) => {
      const times = kept.flatMap((flag, at) => (flag === 0 ? [] : [from - (from % step) + at * step]));
      const rows = makeRows(times).map(({ time, volume, ...prices }) => {
        const [open, high, low, close] = [prices.open, prices.high, prices.low, prices.close].map(
          (value) => value * price,
        );
        return { time, volume, open, high, low, close } as SampleRow;
      });
      const result = await judgeTables({ a: formatCsv(isNewestFirst ? rows.toReversed() : rows) }, {}, bytes);
      expect(breaches(result)).toEqual([]);
    }),
  );
});
