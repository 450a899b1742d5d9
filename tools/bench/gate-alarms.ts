/**
 * Counts the gate's false alarms on 20 kinds of healthy markets, and the planted damage that it finds and names rightly.
 * Run it with `node tools/bench/gate-alarms.ts [seeds]`; with `node tools/bench/gate-alarms.ts FILE…` the damage is planted
 * in files of CSV, and what is doubted in them before counts as false.
 */

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Gated, GateRange } from '@candleproof/gate/gated';
import { CandleTable } from '@candleproof/gate/reading/candle-table';
import { damages, type PlantedDamage } from '@candleproof/gate/testing/damages';
import { formatMarket, type MarketRow, makeMarket, marketKinds } from '@candleproof/gate/testing/markets';
import {
  cutoffs,
  type FindingRating,
  findCutoff,
  rateFinding,
  rateRefusal,
} from '@candleproof/gate/testing/rate-finding';
import { judgeTables } from '@candleproof/gate/testing/tables';

const rowsOfMarket = 3000;
const now = 4e9;

type Table = { readonly name: string; readonly rows: readonly MarketRow[]; readonly alarms: GateRange[] };

const judge = (rows: readonly MarketRow[]): Promise<Gated> =>
  judgeTables({ a: formatMarket(rows) }, { gaps: 'sessions', now }, 1 << 16);
const named = ({ rules, doubt }: GateRange): string => [...rules, doubt ?? ''].join(' ');
const accuse = async (rows: readonly MarketRow[]): Promise<GateRange[]> =>
  (await judge(rows)).ranges.filter(({ certainty }) => certainty !== 'observed');

async function openTable(name: string, rows: readonly MarketRow[]): Promise<Table> {
  return { name, rows, alarms: await accuse(rows) };
}

async function makeTables(seeds: readonly number[], kinds = marketKinds): Promise<Table[]> {
  const tables: Table[] = [];
  for (const kind of kinds)
    for (const seed of seeds)
      tables.push(await openTable(`${kind.name} ${seed}`, makeMarket(kind, seed, rowsOfMarket)));
  return tables;
}

function printAlarms(tables: readonly Table[]): void {
  const all = tables.flatMap(({ name, alarms }) => alarms.map((range) => ({ name, range })));
  console.log(`${tables.length} sound tables; alarms:`);
  for (const [id, found] of Map.groupBy(all, ({ range }) => named(range))) {
    const of = new Set(found.map(({ name }) => name)).size;
    console.log(`  ${id}: ${found.length} in ${of} tables`);
  }
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

/** Rates what is said of damage that is planted in a table; undefined where it is missed. */
async function rate(
  damage: PlantedDamage,
  { rows, alarms }: Table,
  planted: readonly MarketRow[],
): Promise<FindingRating | undefined> {
  const list = (ranges: readonly GateRange[]): GateRange[] =>
    ranges.filter((range) => damage.names.test(named(range)));
  try {
    const [found, before] = [list(await accuse(planted)), list(alarms)];
    const known = new Set(before.map(({ from, detail }) => `${from} ${detail}`));
    const fresh = found.filter(({ from, detail }) => !known.has(`${from} ${detail}`));
    const rating = rateFinding(damage, fresh, { sound: rows, planted });
    // Doubts in rows that all move are fresh ones at another time.
    return found.length > before.length || (fresh.length > 0 && rating.isLineRight) ? rating : undefined;
  } catch (error) {
    return damage.names.test(String(error))
      ? rateRefusal(String(error), { sound: rows, planted })
      : undefined;
  }
}

/** Plants all damage in all tables, prints a line for each kind, and returns the cut-offs of what was found, and the number of all. */
async function plantAll(tables: readonly Table[]): Promise<{ found: number[]; of: number }> {
  const all: (FindingRating | undefined)[] = [];
  console.log('Planted damage: found under its name, and of these with the right line, span and factor');
  for (const damage of damages) {
    const ratings: (FindingRating | undefined)[] = [];
    const amiss: string[] = [];
    for (const table of tables) {
      const planted = damage.plant(table.rows, Math.floor(table.rows.length / 2));
      if (planted === undefined) continue;
      const rating = await rate(damage, table, planted);
      ratings.push(rating);
      const words = describeAmiss(rating);
      if (words !== '') amiss.push(`${table.name} ${words}`);
    }
    console.log(`  ${damage.name}: ${countAll(ratings)}${amiss.length > 0 ? ` — ${amiss.join(', ')}` : ''}`);
    all.push(...ratings);
  }
  return { found: all.flatMap((rating) => (rating ? [rating.cutoff] : [])), of: all.length };
}

function describeAmiss(rating: FindingRating | undefined): string {
  if (rating === undefined) return '(missed)';
  const { isLineRight, isSpanRight, isFactorRight = true } = rating;
  const wrong = Object.entries({ line: isLineRight, span: isSpanRight, factor: isFactorRight });
  const names = wrong.flatMap(([name, isRight]) => (isRight ? [] : [name]));
  return names.length > 0 ? `(${names.join(', ')})` : '';
}

function countAll(ratings: readonly (FindingRating | undefined)[]): string {
  const found = ratings.filter((rating) => rating !== undefined);
  const count = (name: 'isLineRight' | 'isSpanRight' | 'isFactorRight'): number =>
    found.filter((rating) => rating[name] === true).length;
  const hasFactor = found.some(({ isFactorRight }) => isFactorRight !== undefined);
  const factor = hasFactor ? `, factor ${count('isFactorRight')}` : '';
  return `${found.length} of ${ratings.length}; line ${count('isLineRight')}, span ${count('isSpanRight')}${factor}`;
}

/** Prints how much is found, and in how many sound tables anything is, if only what reaches each cut-off counts. */
function printCurves({ found, of }: { found: readonly number[]; of: number }, sound: readonly Table[]): void {
  const share = (part: number, all: number): string =>
    `${((100 * part) / all).toFixed(1)} % (${part} of ${all})`;
  console.log('Cut-off: planted damage found; sound tables with an alarm');
  for (const [at, name] of cutoffs.entries()) {
    const alarmed = sound.filter(({ alarms }) => alarms.some((range) => findCutoff(range) >= at));
    const kept = found.filter((cutoff) => cutoff >= at).length;
    console.log(`  ${name}: ${share(kept, of)}; ${share(alarmed.length, sound.length)}`);
  }
}

const given = process.argv.slice(2);
const isFiles = given.some((word) => !/^\d+$/.test(word));
if (isFiles) {
  const tables: Table[] = [];
  for (const file of given) tables.push(await openTable(basename(file), await readRows(file)));
  printAlarms(tables);
  printCurves(await plantAll(tables), tables);
} else {
  const seeds = Array.from({ length: Number(given[0] ?? 5) }, (_, at) => at + 1);
  const sound = await makeTables(seeds);
  printAlarms(sound);
  const every2nd = marketKinds.filter((_, at) => at % 2 === 0);
  printCurves(await plantAll(await makeTables([11], every2nd)), sound);
}
