import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import {
  classifyDatabaseError,
  emptyFile,
  explainDatabaseError,
  openDatabaseFile,
} from '@candleproof/files/database-file';
import { MissingStore, StoreFull, UnreadableStore } from '../store-error.ts';
import { createTables, layoutNumber } from '../tables/layout.ts';
import { migrateFile, migrationTo, readLayout } from './migrate.ts';

/** Longest wait in ms for another process. */
const patience = 5000;

const fileName = 'results.db';

/** Returns the file of a data folder's database. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, fileName);
}

/**
 * Opens, migrates or lays out the database of a data folder for writing. Every commit is on the disk before it is
 * confirmed: a monitor commits so rarely that it costs nothing. Throws UnreadableStore for a layout that it cannot read.
 */
export function openToWrite(dataDir: string): DatabaseSync {
  const path = databaseFile(dataDir);
  return openDatabaseFile(path, () => {
    const database = openChecked(path, () => new DatabaseSync(path, { timeout: patience }));
    try {
      createLayout(database, path);
      return database;
    } catch (error) {
      database.close();
      throw explainError(error, path);
    }
  });
}

function createLayout(database: DatabaseSync, path: string): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16000000');
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA cache_size = -16000');
  if (readLayout(database) !== 0) migrateFile(database, path);
  database.exec('BEGIN IMMEDIATE');
  if (readLayout(database) === 0) {
    database.exec(`${createTables('sqlite')}; PRAGMA user_version = ${layoutNumber}`);
  }
  database.exec('COMMIT');
}

/** Returns the error for a folder that no monitor has written to. */
export function missingStore(dataDir: string): MissingStore {
  const what = existsSync(dataDir)
    ? `${dataDir} is no data folder of a monitor`
    : `there is no folder ${dataDir}`;
  return new MissingStore(`${what}: name the one that a monitor writes to with --data`);
}

/**
 * Opens the database of a data folder without ever writing to it; a monitor may write meanwhile. Throws MissingStore
 * if there is none, UnreadableStore for another layout.
 */
export function openToRead(dataDir: string): DatabaseSync {
  const path = databaseFile(dataDir);
  const missing = missingStore(dataDir);
  if (!existsSync(path)) throw missing;
  const database = openChecked(path, () => readOnly(path));
  if (readLayout(database) === layoutNumber) return database;
  if (readLayout(database) !== 0) {
    const layout = readLayout(database);
    database.close();
    throw new UnreadableStore(
      `${path} has layout ${layout}: start a monitor of this version on ${dataDir}, which brings it to ${layoutNumber}.`,
    );
  }
  database.close();
  throw missing;
}

/** Opens a store on a read-only medium as immutable. */
function readOnly(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: patience });
  try {
    readLayout(database);
    return database;
  } catch (error) {
    database.close();
    if (classifyDatabaseError(error) !== 'closed' || existsSync(`${path}-wal`)) throw error;
  }
  const atRest = pathToFileURL(path);
  atRest.searchParams.set('immutable', '1');
  return new DatabaseSync(atRest, { readOnly: true });
}

/** Another's file is refused before anything in it is changed. */
function openChecked(path: string, open: () => DatabaseSync): DatabaseSync {
  const empty = emptyFile(path);
  if (empty !== undefined) throw new UnreadableStore(empty);
  let database: DatabaseSync | undefined;
  try {
    database = open();
    const layout = readLayout(database);
    if (layout === 0 || migrationTo(layout) !== undefined) return database;
    throw new UnreadableStore(
      layout > layoutNumber
        ? `${path} has layout ${layout}, which a later version wrote, and this one reads ${layoutNumber}: install that version, or give another data folder.`
        : `${path} has layout ${layout}, this version reads ${layoutNumber}: give another data folder.`,
    );
  } catch (error) {
    database?.close();
    throw explainError(error, path);
  }
}

/** Returns an error that names the file, because SQLite's messages do not. */
export function explainError(error: unknown, path: string): unknown {
  const trouble = classifyDatabaseError(error);
  if (trouble === undefined) return error;
  const text = explainDatabaseError(path, trouble);
  return trouble === 'full' ? new StoreFull(text) : new UnreadableStore(text);
}
