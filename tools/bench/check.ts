/**
 * Measures a complete `candleproof check local`, from the start of the process to its end, as published and from the
 * sources of a clone, in turn; and the time before its work, as `check --help`.
 * `node tools/bench/check.ts`
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommand } from '@candleproof/command/built-command';
import { figuresOfCommand, type ProcessFigures } from './figures.ts';
import { isBrief, keepRatio } from './ratios.ts';
import { middle, spread } from './spread.ts';

const rounds = isBrief ? 3 : 11;

const built = await buildCommand();
const folder = mkdtempSync(join(tmpdir(), 'bench-check-'));
const nothing = join(folder, 'nothing.mjs');
writeFileSync(nothing, '');
const commands = {
  published: built.command,
  'from sources': fileURLToPath(new URL('../../packages/candleproof/cli/candleproof.js', import.meta.url)),
};

/** Returns the seconds of processor time that Node takes to start and to end. */
function nodeStart(): number {
  return figuresOfCommand(nothing).cpu;
}

/** Runs both in turn, after a round that fills their caches. */
function inTurn(...args: string[]): void {
  const all = Array.from({ length: rounds + 1 }, () =>
    Object.values(commands).map((command) => figuresOfCommand(command, 'check', ...args)),
  ).slice(1);
  const of = (index: number, name: keyof ProcessFigures): number[] =>
    all.map((round) => round[index]?.[name] ?? Number.NaN);
  const floor = middle(Array.from({ length: rounds }, nodeStart));
  for (const [index, name] of Object.keys(commands).entries())
    keepRatio(
      `check ${args[0]}, ${name}: beside a start of Node`,
      'lower',
      of(index, 'cpu').map((cpu) => cpu / floor),
    );
  for (const [index, name] of Object.keys(commands).entries()) {
    console.log(
      `check ${args[0]}, ${name}: ${spread(of(index, 'seconds'))} s, ${spread(of(index, 'cpu'))} s of CPU`,
    );
  }
  const ratios = of(0, 'cpu').map((elapsed, round) => elapsed / (of(1, 'cpu')[round] ?? Number.NaN));
  console.log(`check ${args[0]}, published beside from sources: ${spread(ratios)} times the CPU`);
}

try {
  inTurn('local', '--out', folder);
  inTurn('--help');
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
} finally {
  built.remove();
  rmSync(folder, { recursive: true });
}
