import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '@candleproof/law/judge/verdict';

/** Folder of the run that all tests of the suite read; Playwright's workers share its files. */
export const runFolder = process.env.CANDLEPROOF_OUT || join('reports', 'out', 'suite');

/** Its page, with candles drawn. */
export const reportFile = join(runFolder, 'index.html');

/** Reads the run. */
export function readRun(): Run {
  mkdirSync(runFolder, { recursive: true });
  return JSON.parse(readFileSync(join(runFolder, 'run.json'), 'utf8'));
}
