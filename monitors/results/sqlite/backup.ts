import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile, explainError, missingStore } from './database.ts';

/**
 * Copies the store of a data folder into one file, whole and without its log, while a monitor may write to it. The file
 * appears when it is whole. Throws MissingStore, or UnreadableStore for a store that cannot be read.
 */
export function backUp(dataDir: string, file: string): void {
  const path = databaseFile(dataDir);
  if (!existsSync(path)) throw missingStore(dataDir);
  const draft = `${file}.${process.pid}.draft`;
  rmSync(draft, { force: true });
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
    database.prepare('VACUUM INTO ?').run(draft);
    renameSync(draft, file);
  } catch (error) {
    throw explainError(error, path);
  } finally {
    database?.close();
    rmSync(draft, { force: true });
  }
}
