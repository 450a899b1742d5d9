/**
 * Measures `candleproof gate`: rows per second of CPU time, and memory, relative to a process that only reads the same
 * file and splits it into cells. Both with the start of Node; rounds alternate, and the median counts.
 * Run it with `node tools/bench/gate.ts [rows]`, 10000000 for a file of half a gigabyte.
 */

import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { thousands } from '@candleproof/law/reading/words';
import { figuresOfCommand } from './figures.ts';
import { isBrief, keepRatio } from './ratios.ts';
import { middle } from './spread.ts';

const command = fileURLToPath(new URL('../../packages/candleproof/cli/candleproof.js', import.meta.url));
const rounds = isBrief ? 3 : 5;
const begin = 1_420_070_400;

type Cost = { readonly seconds: number; readonly mib: number };

/** Makes sound rows of a minute as in exports; equal counts give equal rows. */
function write(file: string, count: number, every: number, timeText: (seconds: number) => string): void {
  const descriptor = openSync(file, 'w');
  let text = 'time,open,high,low,close,volume\n';
  for (let at = 0; at < count; at++) {
    const [open, close] = [makePrice(at), makePrice(at + 1)];
    const [high, low] = [Math.max(open, close) + 0.25, Math.min(open, close) - 0.25];
    text += `${timeText(begin + at * every)},${open},${high},${low},${close},${(at % 9973) / 8}\n`;
    if (text.length > 1 << 20) {
      writeSync(descriptor, text);
      text = '';
    }
  }
  writeSync(descriptor, text);
  closeSync(descriptor);
}

function makePrice(at: number): number {
  return Math.round(10_000 + 500 * Math.sin(at / 40) + 20 * Math.sin(at)) / 100;
}

/** Reads and splits lines. */
async function floor(file: string): Promise<number> {
  let [rest, cells] = ['', 0];
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 17 })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) cells += line.split(',').length;
  }
  return cells;
}

/** Runs the command, or the floor, on the files. */
function measure(mode: 'floor' | 'gate', files: readonly string[]): Cost {
  const { cpu, maxRSS } =
    mode === 'gate'
      ? figuresOfCommand(command, 'gate', '--gaps', 'none', ...files)
      : figuresOfCommand(fileURLToPath(import.meta.url), mode, ...files);
  return { seconds: cpu, mib: maxRSS / 1024 };
}

function compare(what: string, rows: number, files: readonly string[]): void {
  const turns = Array.from({ length: rounds }, () => ({
    floor: measure('floor', files.slice(0, 1)),
    gate: measure('gate', files),
  }));
  const of = (mode: 'floor' | 'gate', name: keyof Cost): number =>
    middle(turns.map((turn) => turn[mode][name]));
  const ratios = (name: keyof Cost): number[] => turns.map((turn) => turn.gate[name] / turn.floor[name]);
  const ratio = (name: keyof Cost): string => middle(ratios(name)).toFixed(2);
  keepRatio(`gate, ${what}: the command beside splitting its lines`, 'lower', ratios('seconds'));
  console.log(
    `${what}: ${thousands(Math.round(rows / of('gate', 'seconds') / 1000) * 1000)} rows a second, ${ratio('seconds')} times the time of the floor; ${of('gate', 'mib').toFixed(0)} MiB at most, ${ratio('mib')} times its memory`,
  );
}

async function compareAll(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-gate-'));
  const file = (name: string): string => join(folder, name);
  const iso = (seconds: number): string =>
    new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  try {
    write(file('tenth.csv'), count / 10, 60, String);
    write(file('whole.csv'), count, 60, String);
    write(file('iso.csv'), count, 60, iso);
    if (!isBrief) compare(`${thousands(count / 10)} rows, Unix seconds`, count / 10, [file('tenth.csv')]);
    compare(`${thousands(count)} rows, Unix seconds`, count, [file('whole.csv')]);
    compare(`${thousands(count)} rows, ISO times`, count, [file('iso.csv')]);
    writeHours(file('hours.csv'), count);
    compare(`${thousands(count)} rows against hours of theirs`, count + count / 60, [
      file('whole.csv'),
      file('hours.csv'),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Rolls the same rows up to hours. */
function writeHours(file: string, count: number): void {
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, 'time,open,high,low,close,volume\n');
  for (let hour = 0; hour < Math.floor(count / 60); hour++) {
    const prices = Array.from({ length: 61 }, (_, at) => makePrice(hour * 60 + at));
    const volume = Array.from({ length: 60 }, (_, at) => ((hour * 60 + at) % 9973) / 8).reduce(
      (a, b) => a + b,
      0,
    );
    const [high, low] = [Math.max(...prices) + 0.25, Math.min(...prices) - 0.25];
    writeSync(descriptor, `${begin + hour * 3600},${prices[0]},${high},${low},${prices[60]},${volume}\n`);
  }
  closeSync(descriptor);
}

const [, , mode = isBrief ? '300000' : '2000000', ...files] = process.argv;
if (mode === 'floor') await floor(files[0] ?? '');
else await compareAll(Number(mode));
