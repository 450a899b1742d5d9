import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let home: string | undefined;

/**
 * A new folder that goes away with this process: for what several tests share, and for files whose cases name it. Playwright
 * loads such a file in its main process too, where no test and no clean-up ever runs.
 */
export function passingFolder(): string {
  home ??= homeOfProcess();
  return mkdtempSync(join(home, 'folder-'));
}

function homeOfProcess(): string {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
