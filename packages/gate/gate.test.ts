import { expect, test } from '@playwright/test';
import { judgeFiles } from './gate.ts';
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
const year = makeRows(listTimes(105_120, fiveMinutes));

const breaches = ({ ranges }: Gated): GateRange[] => ranges.filter(({ certainty }) => certainty === 'breach');

type Planted = { readonly at: number; readonly kind: string; readonly rule: string };

/** Ways to break a row, and the expected rule and kind. */
const damages: Readonly<
  Record<string, { rule: string; kind: string; plant: (row: SampleRow) => SampleRow[] }>
> = {
  high: {
    rule: 'candle/high-is-highest',
    kind: 'impossible',
    plant: (row) => [{ ...row, high: row.open - 1, close: row.open }],
  },
  low: {
    rule: 'candle/low-is-lowest',
    kind: 'impossible',
    plant: (row) => [{ ...row, low: row.high - 0.01 }],
  },
  zero: {
    rule: 'candle/prices-are-positive',
    kind: 'impossible',
    plant: (row) => [{ ...row, open: 0, high: 0, low: 0, close: 0 }],
  },
  text: {
    rule: 'candle/documented-types',
    kind: 'unreadable',
    plant: (row) => [{ ...row, close: Number.NaN }],
  },
  double: { rule: 'history/one-candle-per-interval', kind: 'duplicate', plant: (row) => [row, row] },
  shifted: { rule: 'history/aligned', kind: 'misplaced', plant: (row) => [{ ...row, time: row.time + 60 }] },
  early: {
    rule: 'history/one-order',
    kind: 'misplaced',
    plant: (row) => [{ ...row, time: row.time - 7 * 86_400 * 365 }],
  },
  late: {
    rule: 'history/one-order',
    kind: 'misplaced',
    plant: (row) => [{ ...row, time: row.time + 3 * 86_400 * 365 }],
  },
  missing: { rule: 'history/complete', kind: 'gap', plant: () => [] },
};

const names = Object.keys(damages);

/** Returns a year with one damage in every `every` rows, and what was planted, by the line that reports it. */
function damagedYear(every: number): { rows: SampleRow[]; planted: Planted[] } {
  const rows: SampleRow[] = [];
  const planted: Planted[] = [];
  for (const [at, row] of year.entries()) {
    const damage = damages[names[Math.floor(at / every) % names.length] ?? ''];
    if (damage === undefined || at % every !== every >> 1) rows.push(row);
    else {
      rows.push(...damage.plant(row));
      // The second of two, or the row after a missing one; the first line holds the names.
      const line = rows.length + (damage.kind === 'gap' ? 2 : 1);
      planted.push({ at: line, kind: damage.kind, rule: damage.rule });
    }
  }
  return { rows, planted };
}

test('exactly the damaged rows in a year of five minutes are found', async () => {
  const { rows, planted } = damagedYear(97);
  const result = await judgeTables({ 'year.csv': formatCsv(rows) }, { gaps: 'none' });
  const found = breaches(result).map(({ line, kind, rules }) => ({ at: line, kind, rules }));
  expect(found.toSorted((a, b) => a.at - b.at).map(({ at, kind }) => [at, kind])).toEqual(
    planted.map(({ at, kind }) => [at, kind]),
  );
  const rulesAt = new Map(found.map(({ at, rules }) => [at, rules]));
  for (const { at, rule } of planted) expect(rulesAt.get(at), `line ${at}`).toContain(rule);
  expect([result.verdict, result.counts.breach, planted.length]).toEqual(['damaged', 1084, 1084]);
});

test('neighbors that break the same rule are one range', async () => {
  const rows = year
    .slice(0, 500)
    .map((row, at) => (at >= 100 && at < 110 ? { ...row, low: row.high + 1 } : row));
  const [range, ...others] = breaches(await judgeTables({ a: formatCsv(rows) }));
  expect(others).toEqual([]);
  expect(range).toMatchObject({
    ...{
      from: begin + 100 * fiveMinutes,
      to: begin + 110 * fiveMinutes,
      rows: 10,
      line: 102,
      interval: '5m',
    },
    ...{ fromIso: '2019-01-01T08:20:00Z', kind: 'impossible' },
  });
});

test('two swapped neighbors are one breach of the order and no gap', async () => {
  const rows = year.slice(0, 300);
  const [one, other] = [rows[100] as SampleRow, rows[101] as SampleRow];
  const result = await judgeTables({ a: formatCsv([...rows.slice(0, 100), other, one, ...rows.slice(102)]) });
  expect(result.ranges).toMatchObject([
    { kind: 'misplaced', from: one.time, to: other.time + fiveMinutes, rules: ['history/one-order'] },
  ]);
});

test('rows that turn to the other order are one misplaced range', async () => {
  const rows = year.slice(0, 300);
  const turned = [...rows.slice(0, 100), ...rows.slice(100, 200).toReversed()];
  for (const all of [turned, [...turned, ...rows.slice(200)]])
    expect((await judgeTables({ a: formatCsv(all) })).ranges).toMatchObject([
      { kind: 'misplaced', rows: 100, lines: [[102, 201]] },
    ]);
});

test('rows of the previous day that are appended again are duplicates', async () => {
  const rows = year.slice(0, 600);
  const result = await judgeTables({ a: formatCsv([...rows, ...rows.slice(300), ...year.slice(600, 700)]) });
  expect(result.ranges).toMatchObject([{ kind: 'duplicate', rows: 300, line: 602 }]);
});

test('a misplaced first row does not affect the others', async () => {
  const rows = [{ ...(year[0] as SampleRow), time: begin + 90 * 86_400 }, ...year.slice(1, 200)];
  expect(breaches(await judgeTables({ a: formatCsv(rows) }))).toMatchObject([{ kind: 'misplaced', line: 2 }]);
});

test('open and future rows are observed and no damage', async () => {
  const now = begin + 99 * fiveMinutes + 60;
  const { verdict, ranges } = await judgeTables({ a: formatCsv(year.slice(0, 102)) }, { now });
  expect(verdict).toBe('sound');
  expect(ranges.map(({ kind, rows, certainty }) => [kind, rows, certainty])).toEqual([
    ['open', 1, 'observed'],
    ['future', 2, 'observed'],
  ]);
});

test('a row filled with the previous one is a copy', async () => {
  const rows = year.slice(0, 100).map((row) => ({ ...row, volume: row.volume * 1000 + 7 }));
  rows[40] = { ...(rows[39] as SampleRow), time: (rows[40] as SampleRow).time };
  expect(breaches(await judgeTables({ a: formatCsv(rows) }))).toMatchObject([
    { kind: 'copy', line: 42, rules: ['history/no-row-is-copied'] },
  ]);
});

test('rows without prices are gaps', async () => {
  const text = formatCsv(year.slice(0, 100)).split('\n');
  text[50] = `${isoTime(begin + 49 * fiveMinutes)},,,,,`;
  text[51] = `${isoTime(begin + 50 * fiveMinutes)},NaN,NaN,NaN,NaN,0`;
  const { verdict, ranges, files } = await judgeTables({ a: text.join('\n') });
  expect([verdict, files[0]?.blank]).toEqual(['sound', 2]);
  expect(ranges).toMatchObject([{ kind: 'gap', rows: 2 }]);
});

test('irregular tables have no grid and empty ones no verdict', async () => {
  const times = year.slice(0, 400).map(({ time }, at) => time + ((at * 7919) % 271));
  const irregular = await judgeTables({ a: formatCsv(makeRows(times)) });
  expect([irregular.verdict, irregular.ranges, irregular.remarks]).toEqual([
    ...[
      'sound',
      [],
      [
        'a: its grid is not judged: no step between rows is usual, and no gap is judged; gate takes one by --interval',
      ],
    ],
  ]);
  for (const text of ['', 'time,open,high,low,close\n', '\n\n'])
    expect((await judgeTables({ a: text })).verdict).toBe('unjudged');
});

test('every file is closed where one of them cannot be read', async () => {
  const closed: string[] = [];
  const open = async function* (file: string, text: string): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; ; at++) yield new TextEncoder().encode(at === 0 ? text : '\n'.repeat(5000));
    } finally {
      closed.push(file);
    }
  };
  const texts = { a: formatCsv(year.slice(0, 3000)), b: 'x,y\n', c: '' };
  const sources = Object.entries(texts).map(([file, text]) => ({ file, chunks: open(file, text) }));
  await expect(judgeFiles(sources, { gaps: 'observe', now: begin })).rejects.toThrow(/^b: line 1: /);
  expect(closed.toSorted()).toEqual(['a', 'b']);
});

test('breaches beyond the limit are counted', async () => {
  const rows = makeRows(listTimes(50_000, 60)).map((row, at) =>
    at % 2 === 0 ? { ...row, low: row.high + 1 } : row,
  );
  const { counts, ranges, leftOut, files } = await judgeTables({ a: formatCsv(rows) });
  expect([counts.breach, ranges.length, leftOut]).toEqual([25_000, 10_000, 15_000]);
  expect(files[0]?.rules.find(({ id }) => id === 'candle/low-is-lowest')).toMatchObject({
    judged: 50_000,
    broken: 25_000,
  });
});
