import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { emptyFile, opening, troubleInWords, troubleOf } from '../../../files/database-file.ts';
import type { Layout } from './schema.ts';

/** The database file cannot be read, holds tables of another layout than this version reads, or is empty. */
export class UnreadableDatabase extends Error {
  override readonly name = 'UnreadableStore';
}

/** The disk of the database file takes nothing more; what was written before stays. */
export class FullStore extends Error {
  override readonly name = 'FullStore';
}

/** Longest wait in ms for another writer. */
export const MOST_PATIENCE_MS = 5000;

/**
 * Opens or lays out the SQLite database at `path`, with a write-ahead log so that others may read meanwhile.
 * One that is `passing` is written once alone, by this process: what a power cut leaves of it is nobody's concern.
 * Throws UnreadableStore when the file is empty, or was written by a version with another layout, and FullStore.
 */
export function openDatabase(path: string, layout: Layout, passing = false): DatabaseSync {
  const empty = emptyFile(path);
  if (empty !== undefined) throw new UnreadableDatabase(empty);
  return opening(path, () => {
    const database = new DatabaseSync(path);
    try {
      database.exec(`PRAGMA busy_timeout = ${MOST_PATIENCE_MS}`);
      database.exec(
        passing
          ? 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;'
          : 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;',
      );
      database.exec('PRAGMA foreign_keys = OFF; PRAGMA cache_size = -16000;');
      inTransaction(database, () => layOut(database, path, layout));
      return database;
    } catch (error) {
      database.close();
      throw explained(error, path);
    }
  });
}

/** Longest time in ms until a change by another process is seen. */
const unseenMs = 20;

/** A number that changes with every change of the file by others; SQLite itself is consulted at most every `unseenMs`. */
export class ForeignChanges {
  readonly #statement: StatementSync;
  #version: SQLOutputValue | undefined;
  #until = Number.NEGATIVE_INFINITY;

  constructor(database: DatabaseSync) {
    this.#statement = database.prepare('PRAGMA data_version');
  }

  get version(): SQLOutputValue | undefined {
    const now = performance.now();
    if (now < this.#until) return this.#version;
    this.#version = this.#statement.get()?.data_version;
    this.#until = now + unseenMs;
    return this.#version;
  }
}

/** Runs `work` so that all of its writes are kept, or none. Throws FullStore, or what `work` does. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk has ended it already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw explained(error, database.location() ?? 'the store');
  }
}

/** SQLite's own words name no file. */
function explained(error: unknown, path: string): unknown {
  const trouble = troubleOf(error);
  if (trouble === undefined) return error;
  const text = troubleInWords(path, trouble);
  return trouble === 'full' ? new FullStore(text) : new UnreadableDatabase(text);
}

function layOut(database: DatabaseSync, path: string, { number, tables }: Layout): void {
  const found = database.prepare('PRAGMA user_version').get()?.user_version;
  if (found === number) return;
  if (found !== 0) {
    throw new UnreadableDatabase(
      `${path} has layout ${found}, this version reads ${number}: use an empty data folder.`,
    );
  }
  database.exec(tables);
  database.exec(`PRAGMA user_version = ${number}`);
}
