import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Puts files into a folder that may hold others. Each is written whole under a temporary name and then renamed, so
 * that a reader never sees half of one and a failure leaves the old ones.
 */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  makeFolder(folder);
  const temporary = Object.entries(files).map(([name, text]) => {
    const file = join(folder, `.${name}.${process.pid}.tmp`);
    return { file, text, target: join(folder, name) };
  });
  try {
    for (const { file, text } of temporary) writeFileSync(file, text);
    for (const { file, target } of temporary) renameSync(file, target);
  } finally {
    for (const { file } of temporary) rmSync(file, { force: true });
  }
}
