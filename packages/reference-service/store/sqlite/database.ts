import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import {
  classifyDatabaseError,
  emptyFile,
  explainDatabaseError,
  openDatabaseFile,
} from '@candleproof/files/database-file';
import { OneLineError } from '@candleproof/files/usage-error';
import type { Layout } from '../tables.ts';

/** Thrown for a database file that is unreadable or empty, or has a layout that this version does not read. */
export class UnreadableDatabase extends OneLineError {
  override readonly name = 'UnreadableStore';
}

/** Thrown when the disk is full. Earlier writes are not lost. */
export class FullStore extends OneLineError {
  override readonly name = 'FullStore';
}

/** Longest wait in ms for another writer. */
export const MOST_PATIENCE_MS = 5000;

/**
 * Opens or creates the SQLite database at `path`, with a write-ahead log so that others can read during writes. An
 * `ephemeral` one is used by this process only and need not survive a power failure.
 * Throws UnreadableDatabase when the file is empty or has another layout, and FullStore.
 */
export function openDatabase(path: string, layout: Layout, ephemeral = false): DatabaseSync {
  const empty = emptyFile(path);
  if (empty !== undefined) throw new UnreadableDatabase(empty);
  return openDatabaseFile(path, () => {
    const database = new DatabaseSync(path);
    try {
      database.exec(`PRAGMA busy_timeout = ${MOST_PATIENCE_MS}`);
      database.exec(
        ephemeral
          ? 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;'
          : 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;',
      );
      database.exec('PRAGMA foreign_keys = OFF; PRAGMA cache_size = -16000;');
      runInTransaction(database, () => createTables(database, path, layout));
      return database;
    } catch (error) {
      database.close();
      throw explainError(error, path);
    }
  });
}

/** Longest time in ms until a change by another process is noticed. */
const unseenMs = 20;

/** Detects changes of the file by other connections. Queries SQLite at most every `unseenMs`. */
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

/** Runs `work` in a transaction. Throws FullStore, or what `work` throws. */
export function runInTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk has already ended the transaction.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw explainError(error, database.location() ?? 'the store');
  }
}

/** Names the file, which SQLite's messages do not. */
function explainError(error: unknown, path: string): unknown {
  const trouble = classifyDatabaseError(error);
  if (trouble === undefined) return error;
  const text = explainDatabaseError(path, trouble);
  return trouble === 'full' ? new FullStore(text) : new UnreadableDatabase(text);
}

function createTables(database: DatabaseSync, path: string, { number, tables }: Layout): void {
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

/** Caches values until the version of their source changes. */
export class VersionedCache<Value> {
  readonly #version: () => unknown;
  readonly #values = new Map<string, Value>();
  #at: unknown;

  constructor(version: () => unknown) {
    this.#version = version;
  }

  /** Returns the cached value, or reads and caches it. A missing value (undefined) is not cached. */
  get(name: string, read: () => Value | undefined): Value | undefined {
    const version = this.#version();
    if (version !== this.#at) this.forget();
    this.#at = version;
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const value = read();
    if (value !== undefined && this.#values.size < mostValues) this.#values.set(name, value);
    return value;
  }

  forget(): void {
    this.#values.clear();
  }
}

const mostValues = 10000;
