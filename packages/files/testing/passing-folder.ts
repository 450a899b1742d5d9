import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let home: string | undefined;

/**
 * Makes a folder that is removed with this process: for what several tests share, and for files whose test names depend
 * on it. Playwright loads such a file in its main process too, which runs no test and no clean-up.
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
