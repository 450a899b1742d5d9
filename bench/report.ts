/**
 * What `candleproof report` costs on a results store of five years with 1.2 million slots: seconds by the clock and of CPU
 * from the start of the process, the most memory that it ever held, and the page's size; beside the same command that
 * only prints its help. Run it with `npm run bench`; with a folder as argument the store is made there once and kept.
 */

import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openResults } from '../results/sqlite/open.ts';
import { fiveYears, recordMany } from '../results/testing/many-slots.ts';
import { figuresOfCommand, type ProcessFigures } from './figures.ts';
import { spread } from './spread.ts';

const rounds = 7;
const [kept] = process.argv.slice(2);
const folder = kept ?? mkdtempSync(join(tmpdir(), 'bench-report-'));
const out = join(folder, 'out');
const command = fileURLToPath(new URL('../cli/candleproof.js', import.meta.url));
const end = fiveYears.begin + fiveYears.days * 86_400_000;

if (!kept || !existsSync(folder)) {
  const store = await openResults(folder);
  const began = performance.now();
  const slots = await recordMany(store, fiveYears);
  await store.tidy(end);
  await store.close();
  console.log(`${slots} slots written in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

function line(what: string, figures: readonly ProcessFigures[]): void {
  const of = (name: keyof ProcessFigures, unit = 1): number[] => figures.map((each) => each[name] / unit);
  console.log(
    `${what}: ${spread(of('seconds'), 2)} s, ${spread(of('cpu'), 2)} s of CPU, ${spread(of('maxRSS', 1024), 0)} MB at most`,
  );
}

const all = Array.from({ length: rounds }, () => ({
  help: figuresOfCommand(command, 'report', '--help'),
  report: figuresOfCommand(command, 'report', '--data', folder, '--out', out),
}));
line(
  'help',
  all.map(({ help }) => help),
);
line(
  'report',
  all.map(({ report }) => report),
);
const { size } = statSync(join(out, 'index.html'));
console.log(`${(size / 1024).toFixed(0)} KiB of page; load average ${loadavg()[0]?.toFixed(1)}`);
if (!kept) rmSync(folder, { recursive: true });
