import { expect, test } from '@playwright/test';
import type { Gated } from './gated.ts';
import {
  begin,
  formatCsv,
  judgeTables,
  listTimes,
  makeRows,
  rollUpRows,
  type SampleRow,
} from './testing/tables.ts';

const minutes = makeRows(listTimes(12 * 24 * 60, 300));
const hours = rollUpRows(minutes, 12);

const rollUps = ({ ranges }: Gated) => ranges.filter(({ kind }) => kind === 'rollup');

function changed(rows: readonly SampleRow[], at: number, change: Partial<SampleRow>): SampleRow[] {
  return rows.map((row, index) => (index === at ? { ...row, ...change } : row));
}

test('hours and days agree with their parts', async () => {
  const days = rollUpRows(minutes, 288);
  const result = await judgeTables({
    'x-5m.csv': formatCsv(minutes),
    'x-1h.csv': formatCsv(hours),
    'x-1d.csv': formatCsv(days),
  });
  expect([result.verdict, result.ranges]).toEqual(['sound', []]);
  expect(result.pairs.map(({ longer, shorter, families }) => [longer, shorter, families])).toEqual([
    ['x-1h.csv', 'x-5m.csv', 1440],
    ['x-1d.csv', 'x-1h.csv', 60],
  ]);
});

const changes: [rule: string, change: (row: SampleRow) => Partial<SampleRow>][] = [
  ['rollup/open-is-the-first', ({ open }) => ({ open: open + 0.01 })],
  ['rollup/close-is-the-last', ({ close }) => ({ close: close + 0.01 })],
  ['rollup/high-is-the-highest', ({ high }) => ({ high: high + 0.01 })],
  ['rollup/low-is-the-lowest', ({ low }) => ({ low: low - 0.01 })],
  ['rollup/volume-is-summed', ({ volume }) => ({ volume: volume + 1 })],
];

for (const [rule, change] of changes) {
  test(`an hour that breaks ${rule} is found in any order of the files`, async () => {
    const broken = changed(hours, 700, change(hours[700] as SampleRow));
    const tables = { 'h.csv': formatCsv(broken), 'm.csv': formatCsv(minutes) };
    for (const order of [Object.entries(tables), Object.entries(tables).reverse()]) {
      const found = rollUps(await judgeTables(Object.fromEntries(order)));
      expect(found).toMatchObject([
        {
          file: 'h.csv',
          line: 702,
          from: begin + 700 * 3600,
          rules: [rule],
          suspects: ['1h', '5m'],
          interval: '1h',
        },
      ]);
    }
  });
}

test('files with the newest row first are compared', async () => {
  const broken = changed(hours, 5, { high: (hours[5] as SampleRow).high + 1 });
  const result = await judgeTables({ h: formatCsv(broken.toReversed()), m: formatCsv(minutes.toReversed()) });
  expect(result.pairs[0]?.families).toBe(1440);
  expect(rollUps(result)).toMatchObject([{ from: begin + 5 * 3600, rules: ['rollup/high-is-the-highest'] }]);
});

test('an hour with missing or broken parts is not compared', async () => {
  const holed = changed(minutes, 30, { low: 9999 }).filter((_, at) => at !== 100);
  const wrong = hours.map((row, at) => (at === 2 || at === 8 ? { ...row, volume: 1, close: row.high } : row));
  const result = await judgeTables({ h: formatCsv(wrong), m: formatCsv(holed) });
  expect([rollUps(result), result.pairs[0]?.families]).toEqual([[], 1438]);
});

test('an open hour is not compared', async () => {
  const now = begin + 1439 * 3600 + 1800;
  const result = await judgeTables(
    { h: formatCsv(changed(hours, 1439, { volume: 5 })), m: formatCsv(minutes) },
    { now },
  );
  expect([result.verdict, result.pairs[0]?.families]).toEqual(['sound', 1439]);
});

test('decimal volumes add up exactly and doubles within their rounding', async () => {
  const parts = minutes.slice(0, 240);
  const long = (digits: string): string => formatCsv(parts).replaceAll(/,(\d+)(?=\n)/g, `,$1${digits}`);
  const total = (row: SampleRow, text: string): string =>
    formatCsv([{ ...row, volume: Number.NaN }])
      .split('\n')[1]
      ?.replace('NaN', text) ?? '';
  const hour = rollUpRows(parts, 12).map((row) =>
    total(row, `${BigInt(row.volume)}.${'000000000000000012'}`),
  );
  const head = ',Open,High,Low,Close,Volume\n';
  const exact = await judgeTables({ h: head + hour.join('\n'), m: long('.000000000000000001') });
  expect(exact.verdict).toBe('sound');
  const off = hour.map((line, at) => (at === 3 ? line.replace(/12$/, '99') : line));
  expect(
    rollUps(await judgeTables({ h: head + off.join('\n'), m: long('.000000000000000001') })),
  ).toHaveLength(1);
  const doubles = parts.map((row) => ({ ...row, volume: row.volume / 3 }));
  expect((await judgeTables({ h: formatCsv(rollUpRows(doubles, 12)), m: formatCsv(doubles) })).verdict).toBe(
    'sound',
  );
});

const hourly = (by: number): SampleRow[] => hours.map((row) => ({ ...row, time: row.time + by }));
const labelled = (by: number): SampleRow[] => minutes.map((row) => ({ ...row, time: row.time + by }));
const shifts: [what: string, longer: SampleRow[], shorter: SampleRow[], says: string][] = [
  [
    'hours',
    hourly(3600),
    minutes,
    'every candle is 1h after its parts: the longer file labels its rows by their end',
  ],
  [
    'parts',
    hours,
    labelled(300),
    'every candle is 5m before its parts: the shorter file labels its rows by their end',
  ],
  [
    'hours and parts',
    hourly(3600),
    labelled(300),
    'every candle is 55m after its parts: both files label their rows by their end',
  ],
];

for (const [what, longer, shorter, says] of shifts) {
  test(`${what} that are labelled by their end are one range that says the shift`, async () => {
    const { verdict, ranges, undecided, pairs } = await judgeTables({
      'x-1h.csv': formatCsv(longer),
      'x-5m.csv': formatCsv(shorter),
    });
    expect([verdict, undecided, pairs[0]?.shifted]).toEqual(['damaged', [], says]);
    expect(ranges).toMatchObject([
      { file: 'x-1h.csv', kind: 'rollup', detail: says, suspects: ['1h', '5m'] },
    ]);
    expect(ranges[0]?.rows).toBeGreaterThan(1400);
  });
}

test('files of different markets are not compared', async () => {
  const others = hours.map((row) => ({
    ...row,
    open: row.open * 9,
    high: row.high * 9,
    low: row.low * 9,
    close: row.close * 9,
  }));
  const strangers = await judgeTables({ h: formatCsv(others), m: formatCsv(minutes) });
  expect([strangers.verdict, strangers.pairs[0]?.notJudged]).toEqual([
    ...['sound', 'no candle agrees with its parts in any price: two markets'],
  ]);
  const four = await judgeTables({
    ...{ 'BTC-5m.csv': formatCsv(minutes), 'ETH-5m.csv': formatCsv(minutes) },
    ...{ 'BTC-1h.csv': formatCsv(hours), 'SOL-1h.csv': formatCsv(others) },
  });
  expect(four.pairs.map(({ longer, shorter }) => [longer, shorter])).toEqual([['BTC-1h.csv', 'BTC-5m.csv']]);
  expect(four.remarks).toHaveLength(2);
});

test('turnovers are summed where no table has volumes', async () => {
  const format = (rows: readonly SampleRow[], amount: (row: SampleRow) => number): string =>
    [
      'time,open,high,low,close,volumeUSD',
      ...rows.map((row) => [row.time, row.open, row.high, row.low, row.close, amount(row)].join(',')),
    ].join('\n');
  const sound = {
    'x-5m.csv': format(minutes, ({ volume }) => volume),
    'x-1h.csv': format(hours, ({ volume }) => volume),
  };
  expect((await judgeTables(sound)).verdict).toBe('sound');
  const rounded = { ...sound, 'x-1h.csv': format(hours, ({ volume }) => Math.round(volume / 50) * 50) };
  expect((await judgeTables(rounded)).verdict).toBe('sound');
  const empty = await judgeTables({ ...sound, 'x-5m.csv': format(minutes, () => 0) });
  expect(rollUps(empty)).toMatchObject([{ rules: ['rollup/volume-is-summed'], rows: hours.length }]);
});
