import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes a folder and what is missing above it, one by one: mkdir's recursion never ends on some file systems. */
export function makeFolder(folder: string, mode = 0o777): void {
  const path = resolve(folder);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
