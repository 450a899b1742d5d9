import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Wall time and CPU time of a process in seconds, and its peak memory in KiB. */
export type ProcessFigures = { readonly seconds: number; readonly cpu: number; readonly maxRSS: number };

/** Runs a command to its end. Throws with its stderr unless it exits with 0. */
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
