import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../../contract/judge/verdict.ts';

/** Where the one run lies that every test of the suite reads; Playwright's workers share it as files. */
export const runFolder = process.env.CANDLEPROOF_OUT || join('reports', 'out', 'suite');

/** Its page, with candles drawn. */
export const reportFile = join(runFolder, 'index.html');

export function readRun(): Run {
  mkdirSync(runFolder, { recursive: true });
  return JSON.parse(readFileSync(join(runFolder, 'run.json'), 'utf8'));
}
