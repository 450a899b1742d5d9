import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { emptyFile, opening, troubleInWords, troubleOf } from '../../files/database-file.ts';
import { MissingStore, StoreFull, UnreadableStore } from '../store-error.ts';
import { layoutNumber, tables, upgrades } from './layout.ts';

/** Longest wait in ms for another process. */
const patience = 5000;

const fileName = 'results.db';

/**
 * Opens, brings up or lays out the database of a data folder for writing. Every commit is on the disk before it is confirmed: a
 * monitor commits so rarely that it costs nothing. Throws UnreadableStore for another layout.
 */
export function openToWrite(dataDir: string): DatabaseSync {
  const path = join(dataDir, fileName);
  return opening(path, () => {
    const database = checked(path, () => new DatabaseSync(path, { timeout: patience }));
    try {
      layOut(database);
      return database;
    } catch (error) {
      database.close();
      throw explained(error, path);
    }
  });
}

function layOut(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16000000');
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA cache_size = -16000');
  inTransaction(database, () => {
    const layout = layoutOf(database);
    if (layout === 0) database.exec(tables);
    for (let each = layout; each > 0 && each < layoutNumber; each++) database.exec(upgrades[each] ?? '');
    database.exec(`PRAGMA user_version = ${layoutNumber}`);
  });
}

/**
 * Opens the database of a data folder without ever writing to it; a monitor may write meanwhile. Throws MissingStore
 * where there is none, UnreadableStore for another layout.
 */
export function openToRead(dataDir: string): DatabaseSync {
  const path = join(dataDir, fileName);
  const missing = new MissingStore(
    `${dataDir} holds no results (${fileName}): let a monitor run with it first, or name the right data folder.`,
  );
  if (!existsSync(path)) throw missing;
  const database = checked(path, () => readOnly(path));
  if (layoutOf(database) !== 0) return database;
  database.close();
  throw missing;
}

/** On a medium that cannot be written a store at rest is opened as one that nobody changes. */
function readOnly(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: patience });
  try {
    layoutOf(database);
    return database;
  } catch (error) {
    database.close();
    if (troubleOf(error) !== 'closed' || existsSync(`${path}-wal`)) throw error;
  }
  const atRest = pathToFileURL(path);
  atRest.searchParams.set('immutable', '1');
  return new DatabaseSync(atRest, { readOnly: true });
}

/** Another's file is refused before anything in it is changed. */
function checked(path: string, open: () => DatabaseSync): DatabaseSync {
  const empty = emptyFile(path);
  if (empty !== undefined) throw new UnreadableStore(empty);
  let database: DatabaseSync | undefined;
  try {
    database = open();
    const layout = layoutOf(database);
    if (layout >= 0 && layout <= layoutNumber) return database;
    throw new UnreadableStore(
      `${path} has layout ${layout}, this version reads up to ${layoutNumber}: give another data folder, or export it with the version that wrote it and import that.`,
    );
  } catch (error) {
    database?.close();
    throw explained(error, path);
  }
}

/** SQLite's own words name no file. */
function explained(error: unknown, path: string): unknown {
  const trouble = troubleOf(error);
  if (trouble === undefined) return error;
  const text = troubleInWords(path, trouble);
  return trouble === 'full' ? new StoreFull(text) : new UnreadableStore(text);
}

function layoutOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** Runs `work` so that all of its writes are kept, or none. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  return inOne(database, 'BEGIN IMMEDIATE', work);
}

/** Runs `work` so that all that it reads is of one instant. */
export function inSnapshot<T>(database: DatabaseSync, work: () => T): T {
  return inOne(database, 'BEGIN', work);
}

/** Runs `work`, whose one statement is of one instant by itself. */
export function inStatement<T>(database: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explained(error, database.location() ?? fileName);
  }
}

function inOne<T>(database: DatabaseSync, begin: string, work: () => T): T {
  database.exec(begin);
  return inStatement(database, () => {
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  });
}
