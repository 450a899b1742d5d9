/**
 * Runs the short form of each measurement and prints its ratios in one table, beside those of the last release in
 * `tools/bench/ratios.json`; exits with 1 if the median of one is worse by more than 10 % and none of its rounds is as good.
 * `npm run bench`, three minutes on two idle cores; with the names of measurements these alone, with `--write` it writes
 * the file.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeFiles } from '@candleproof/files/write-files';
import type { Ratio } from './ratios.ts';

const measurements = ['judge', 'gate', 'service', 'proxy', 'ingest', 'report', 'check', 'postgres'];
const worst = 1.1;
const here = fileURLToPath(new URL('./', import.meta.url));
const released = join(here, 'ratios.json');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' } },
});
const chosen = positionals.length > 0 ? positionals : measurements;
const folder = mkdtempSync(join(tmpdir(), 'bench-all-'));
const file = join(folder, 'ratios.ndjson');
const before = loadavg()[0]?.toFixed(1);
for (const name of chosen) {
  const env = { ...process.env, BENCH_RATIOS: file };
  const { status } = spawnSync(process.execPath, [join(here, `${name}.ts`)], { env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`tools/bench/${name}.ts ended with ${status}`);
}
const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
rmSync(folder, { recursive: true });
const now = lines.map((line): Ratio => JSON.parse(line));
const then: readonly Ratio[] = existsSync(released) ? JSON.parse(readFileSync(released, 'utf8')) : [];

/** Returns how many times worse the rounds are than the last release; undefined if they are not, or not surely. */
function worsening({ name, better, median, least, most }: Ratio): number | undefined {
  const last = then.find((ratio) => ratio.name === name)?.median;
  if (last === undefined) return undefined;
  const [times, ofBest] = better === 'lower' ? [median / last, least / last] : [last / median, last / most];
  return times > worst && ofBest > 1 ? times : undefined;
}

function row(ratio: Ratio): string {
  const { name, better, median, least, most, rounds } = ratio;
  const worse = worsening(ratio);
  const last = then.find((other) => other.name === name)?.median.toFixed(2);
  const spread = rounds === 1 ? '1 round' : `${least.toFixed(2)} to ${most.toFixed(2)}, ${rounds} rounds`;
  const change = worse !== undefined ? `WORSE by ${percent(worse)}` : last === undefined ? 'new' : 'no worse';
  return `| ${name} | ${better} | ${median.toFixed(2)} (${spread}) | ${last ?? '–'} | ${change} |`;
}

function percent(times: number): string {
  return `${Math.round(100 * (times - 1))} %`;
}

const table = ['| ratio | better | now | last release | |', '|---|---|---|--:|---|', ...now.map(row)];
process.stdout.write(`\n${table.join('\n')}\n`);
process.stdout.write(`load average ${before} before, ${loadavg()[0]?.toFixed(1)} after\n`);
if (values.write) {
  const kept = then.filter(({ name }) => !now.some((ratio) => ratio.name === name));
  writeFiles(here, { 'ratios.json': `${JSON.stringify([...kept, ...now], undefined, 2)}\n` });
} else if (now.some((ratio) => worsening(ratio) !== undefined)) process.exitCode = 1;
