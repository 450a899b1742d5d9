/**
 * Counts the gate's false alarms on 20 kinds of healthy markets, and the damage of 20 kinds that it finds in ten of them.
 * Run it with `node bench/gate-alarms.ts [seeds]`; with `node bench/gate-alarms.ts FILE…` the damage is planted in files.
 */

import { createReadStream } from 'node:fs';
import type { Gated, GateRange } from '../gate/gated.ts';
import { CandleTable } from '../gate/reading/candle-table.ts';
import { formatMarket, type MarketRow, makeMarket, marketKinds } from '../gate/testing/markets.ts';
import { judgeTables } from '../gate/testing/tables.ts';

const rowsOfMarket = 3000;
const now = 4e9;

type Plant = (rows: readonly MarketRow[], middle: number) => readonly MarketRow[];

const scale = (row: MarketRow, factor: number): MarketRow => ({
  ...row,
  ...{ open: row.open * factor, high: row.high * factor, low: row.low * factor, close: row.close * factor },
  quote: row.quote * factor,
});
const onRow =
  (change: (row: MarketRow) => MarketRow): Plant =>
  (rows, middle) =>
    rows.map((row, at) => (at === middle ? change(row) : row));
const onRows =
  (count: number, change: (row: MarketRow, at: number, rows: readonly MarketRow[]) => MarketRow): Plant =>
  (rows, middle) =>
    rows.map((row, at) => (at >= middle && at < middle + count ? change(row, at - middle, rows) : row));
const countDays = ({ time }: MarketRow): number => Math.floor(time / 86_400);

/** Kinds of damage: how each is planted, and which rule or doubt names it. */
const damages: Readonly<Record<string, readonly [plant: Plant, names: RegExp]>> = {
  'high below close': [onRow((row) => ({ ...row, high: row.low, close: row.low * 1.02 })), /high-is-highest/],
  'zero price': [onRow((row) => ({ ...row, open: 0 })), /prices-are-positive/],
  'negative volume': [onRow((row) => ({ ...row, volume: -5 })), /amounts/],
  'price that is no number': [onRow((row) => ({ ...row, close: Number.NaN })), /documented-types/],
  'row twice': [(rows, middle) => rows.toSpliced(middle, 0, rows[middle] as MarketRow), /one-candle/],
  'rows in the wrong order': [
    (rows, middle) => rows.toSpliced(middle, 2, rows[middle + 1] as MarketRow, rows[middle] as MarketRow),
    /one-order/,
  ],
  'row off the grid': [onRow((row) => ({ ...row, time: row.time + 17 })), /aligned/],
  'high and low swapped': [
    (rows) => rows.map((row) => ({ ...row, high: row.low, low: row.high })),
    /high-is-highest/,
  ],
  'open and close swapped': [
    (rows) => rows.map((row) => ({ ...row, open: row.close, close: row.open })),
    /open-and-close-swapped/,
  ],
  'a hundredth from here on': [
    (rows, middle) => rows.map((row, at) => (at >= middle ? scale(row, 0.01) : row)),
    /price\/jump/,
  ],
  'split of 1:10': [
    (rows, middle) => rows.map((row, at) => (at >= middle ? scale(row, 0.1) : row)),
    /price\/jump/,
  ],
  'ten rows of a thousandth': [onRows(10, (row) => scale(row, 0.001)), /price\/jump/],
  'one row of a hundredfold': [onRow((row) => scale(row, 100)), /price\/spike/],
  'wick of ten times': [onRow((row) => ({ ...row, high: row.high * 10 })), /price\/spike/],
  'volume 0 beside moves': [
    onRows(10, (row) => ({ ...row, volume: 0, quote: 0, trades: 0, open: row.low, close: row.high })),
    /volume\/none/,
  ],
  'one volume in six rows': [
    onRows(6, (row) => ({ ...row, volume: 1_234_567, close: row.high, quote: 1_234_567 * row.high })),
    /volume\/repeated|row-is-copied/,
  ],
  'volumes a thousand times higher': [
    (rows, middle) =>
      rows.map((row, at) =>
        at >= middle ? { ...row, volume: row.volume * 1000, quote: row.quote * 1000 } : row,
      ),
    /volume\/level|average-is-within/,
  ],
  'six copies': [
    onRows(6, (row, _, rows) => ({ ...(rows[copied(rows)] as MarketRow), time: row.time })),
    /row\/repeated|row-is-copied/,
  ],
  'twenty rows interpolated': [
    onRows(20, (row, at, rows) => {
      const first = rows[Math.floor(rows.length / 2)] as MarketRow;
      const price = first.close * (1 + 0.001 * (at + 1));
      return { ...row, open: price, high: price, low: price, close: price, quote: row.volume * price };
    }),
    /price\/straight-line/,
  ],
  'a day repeated': [
    (rows, middle) => {
      const days = [...Map.groupBy(rows, countDays).values()];
      const at = days.findIndex(
        (day) => countDays(day[0] as MarketRow) === countDays(rows[middle] as MarketRow),
      );
      const day = days[at] ?? [];
      const before = days.slice(0, at).findLast((other) => other.length === day.length);
      if (before === undefined || day.length < 12) return rows;
      return rows.map((row) => ({ ...(before[day.indexOf(row)] ?? row), time: row.time }));
    },
    /day-repeated/,
  ],
};

/** Returns the position of the first row with a range after the middle. */
function copied(rows: readonly MarketRow[]): number {
  return rows.findIndex((row, at) => at >= Math.floor(rows.length / 2) && row.high > row.low);
}

const judge = (rows: readonly MarketRow[]): Promise<Gated> =>
  judgeTables({ a: formatMarket(rows) }, { gaps: 'sessions', now }, 1 << 16);
const named = ({ rules, doubt }: GateRange): string => [...rules, doubt ?? ''].join(' ');
const accused = ({ ranges }: Gated): GateRange[] =>
  ranges.filter(({ certainty }) => certainty !== 'observed');

async function countAlarms(seeds: number): Promise<void> {
  const alarms = new Map<string, { ranges: number; tables: number }>();
  for (const kind of marketKinds)
    for (let seed = 1; seed <= seeds; seed++) {
      const ranges = accused(await judge(makeMarket(kind, seed, rowsOfMarket)));
      for (const [name, found] of Map.groupBy(ranges, named)) {
        const sum = alarms.get(name) ?? { ranges: 0, tables: 0 };
        alarms.set(name, { ranges: sum.ranges + found.length, tables: sum.tables + 1 });
      }
    }
  console.log(`${marketKinds.length * seeds} healthy tables of ${rowsOfMarket} rows; false alarms:`);
  for (const [name, { ranges, tables }] of alarms) console.log(`  ${name}: ${ranges} in ${tables} tables`);
}

/** Reads a file as rows; missing amounts are 0. */
async function readRows(file: string): Promise<MarketRow[]> {
  const rows: MarketRow[] = [];
  const table = new CandleTable({}, false, ({ start, open, high, low, close, volume }) =>
    rows.push({
      ...{ time: start, open, high, low, close },
      volume: volume || 0,
      quote: Number.NaN,
      trades: Number.NaN,
    }),
  );
  for await (const chunk of createReadStream(file)) table.feed(chunk);
  table.end();
  return rows.toSorted((a, b) => a.time - b.time);
}

async function plantAll(tables: readonly (readonly MarketRow[])[]): Promise<void> {
  for (const [name, [plant, names]] of Object.entries(damages)) {
    let [found, of] = [0, 0];
    for (const rows of tables) {
      const planted = plant(rows, Math.floor(rows.length / 2));
      if (planted.every((row, at) => JSON.stringify(row) === JSON.stringify(rows[at]))) continue;
      of++;
      const before = accused(await judge(rows)).filter((range) => names.test(named(range))).length;
      const after = accused(await judge(planted)).filter((range) => names.test(named(range))).length;
      if (after > before) found++;
    }
    console.log(`  ${name}: ${found} of ${of}`);
  }
}

const given = process.argv.slice(2);
const isFiles = given.some((word) => !/^\d+$/.test(word));
if (!isFiles) await countAlarms(Number(given[0] ?? 5));
console.log('Planted damage, found under its name:');
await plantAll(
  isFiles
    ? await Promise.all(given.map(readRows))
    : marketKinds.filter((_, at) => at % 2 === 0).map((kind) => makeMarket(kind, 11, rowsOfMarket)),
);
