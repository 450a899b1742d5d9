/**
 * Measures `candleproof report` on a results store of five years with 1.2 million slots, and on one of the last 29 days
 * with 970,000: wall time and CPU time from the start of the process, peak memory, and the size of the page; relative to
 * the same command printing its help. Run it with `npm run bench`; with a folder as argument the stores are made there
 * once and kept.
 */

import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openForWriting } from '@candleproof/monitors/results/open-source';
import { fiveYears, type History, recordMany } from '@candleproof/monitors/results/testing/many-slots';
import { figuresOfCommand, type ProcessFigures } from './figures.ts';
import { isBrief, keepRatio } from './ratios.ts';
import { middle, spread } from './spread.ts';

type Shape = { readonly name: string; readonly history: History };

const month = isBrief ? 4 : 29;
const day = 86_400_000;
const today = Math.floor(Date.now() / day) * day;
const shapes: readonly Shape[] = [
  { name: 'five-years', history: fiveYears },
  { name: 'month', history: { begin: today - month * day, days: month, period: 15_500 } },
];

const rounds = isBrief ? 3 : 7;
const [kept] = process.argv.slice(2);
const folder = kept ?? mkdtempSync(join(tmpdir(), 'bench-report-'));
const command = fileURLToPath(new URL('../../packages/candleproof/cli/candleproof.js', import.meta.url));

/** Writes slots like a monitor; retention runs no more often than reports are made. */
async function make(data: string, { name, history }: Shape): Promise<void> {
  const store = await openForWriting({ kind: 'folder', folder: data });
  const began = performance.now();
  const slots = await recordMany(store, history);
  await store.close();
  console.log(`${name}: ${slots} slots written in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

function line(what: string, figures: readonly ProcessFigures[]): void {
  const of = (name: keyof ProcessFigures, unit = 1): number[] => figures.map((figure) => figure[name] / unit);
  console.log(
    `${what}: ${spread(of('seconds'), 2)} s, ${spread(of('cpu'), 2)} s of CPU, ${spread(of('maxRSS', 1024), 0)} MB at most`,
  );
}

function measure(...args: string[]): ProcessFigures[] {
  return Array.from({ length: rounds }, () => figuresOfCommand(command, 'report', ...args));
}

const help = measure('--help');
line('help', help);
const start = middle(help.map(({ cpu }) => cpu));
for (const shape of isBrief ? shapes.slice(1) : shapes) {
  const [data, out] = [join(folder, shape.name), join(folder, `${shape.name}-out`)];
  if (!existsSync(data)) await make(data, shape);
  const figures = measure('--data', data, '--out', out);
  line(shape.name, figures);
  keepRatio(
    `report, slots of ${month} days: beside its --help`,
    'lower',
    figures.map(({ cpu }) => cpu / start),
  );
  console.log(`${(statSync(join(out, 'index.html')).size / 1024).toFixed(0)} KiB of page`);
}
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
if (!kept) rmSync(folder, { recursive: true });
