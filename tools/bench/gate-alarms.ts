/**
 * Counts the gate's false alarms on 20 kinds of healthy markets, and the planted damage that it finds in ten of them.
 * Run it with `node tools/bench/gate-alarms.ts [seeds]`; with `node tools/bench/gate-alarms.ts FILE…` the damage is planted in files.
 */

import { createReadStream } from 'node:fs';
import type { Gated, GateRange } from '@candleproof/gate/gated';
import { CandleTable } from '@candleproof/gate/reading/candle-table';
import { damages } from '@candleproof/gate/testing/damages';
import { formatMarket, type MarketRow, makeMarket, marketKinds } from '@candleproof/gate/testing/markets';
import { judgeTables } from '@candleproof/gate/testing/tables';

const rowsOfMarket = 3000;
const now = 4e9;

const judge = (rows: readonly MarketRow[]): Promise<Gated> =>
  judgeTables({ a: formatMarket(rows) }, { gaps: 'sessions', now }, 1 << 16);
/** Counts what names a kind of damage; a refusal counts as well. */
const count = async (rows: readonly MarketRow[], names: RegExp): Promise<number> => {
  try {
    return accused(await judge(rows)).filter((range) => names.test(named(range))).length;
  } catch (error) {
    return names.test(String(error)) ? 1 : 0;
  }
};
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
  for (const { name, names, plant } of damages) {
    let [found, of] = [0, 0];
    for (const rows of tables) {
      const planted = plant(rows, Math.floor(rows.length / 2));
      if (planted === undefined) continue;
      of++;
      if ((await count(planted, names)) > (await count(rows, names))) found++;
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
