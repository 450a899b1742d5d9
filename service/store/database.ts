import { DatabaseSync } from 'node:sqlite';
import type { Layout } from './schema.ts';

/** The database file holds tables of another layout than this version reads. */
export class UnreadableStore extends Error {
  override readonly name = 'UnreadableStore';
}

/** Longest wait in ms for another writer. */
export const MOST_PATIENCE_MS = 5000;

/**
 * Opens or lays out the SQLite database at `path`, with a write-ahead log so that others may read meanwhile.
 * Throws UnreadableStore when the file was written by a version with another layout.
 */
export function openDatabase(path: string, layout: Layout): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA busy_timeout = ${MOST_PATIENCE_MS}`);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA cache_size = -16000;');
  inTransaction(database, () => layOut(database, path, layout));
  return database;
}

/** Runs `work` so that all of its writes are kept, or none. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function layOut(database: DatabaseSync, path: string, { number, tables }: Layout): void {
  const found = database.prepare('PRAGMA user_version').get()?.user_version;
  if (found === number) return;
  if (found !== 0) {
    throw new UnreadableStore(
      `${path} has layout ${found}, this version reads ${number}: use an empty data folder.`,
    );
  }
  database.exec(tables);
  database.exec(`PRAGMA user_version = ${number}`);
}
