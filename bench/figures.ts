import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of a whole process: seconds by the clock and of the processor, and the most memory in KiB. */
export type ProcessFigures = { readonly seconds: number; readonly cpu: number; readonly maxRSS: number };

/** Runs a command to its end; throws with what it complained of unless it ends with 0. */
export function figuresOfCommand(command: string, ...args: string[]): ProcessFigures {
  const folder = mkdtempSync(join(tmpdir(), 'bench-figures-'));
  const file = join(folder, 'figures.json');
  const reporter = new URL('./at-exit.ts', import.meta.url).href;
  try {
    const { status, stderr } = spawnSync(process.execPath, ['--import', reporter, command, ...args], {
      encoding: 'utf8',
      env: { ...process.env, BENCH_FIGURES: file },
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
