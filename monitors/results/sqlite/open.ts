import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { classifyDatabaseError, explainDatabaseError } from '@candleproof/files/database-file';
import { makeFolder } from '@candleproof/files/write-files';
import { type ResultsReader, type ResultsStore, type Retention, usualRetention } from '../results-store.ts';
import type { Database } from '../store/database.ts';
import { openReader } from '../store/reader.ts';
import { openStore } from '../store/store.ts';
import { StoreError, StoreFull, StoreInUse } from '../store-error.ts';
import { openToRead, openToWrite } from './database.ts';
import { type QueuedResults, withQueue } from './queue.ts';
import { readableDatabase, writableDatabase } from './results-database.ts';

/**
 * Opens the store of a data folder for its one writer; creates a missing folder. Throws StoreInUse if there is a writer
 * already, UnreadableStore for a file of another layout.
 */
export async function openResults(
  dataDir: string,
  retention: Partial<Retention> = {},
): Promise<ResultsStore> {
  return openStore(openFolder(dataDir), { ...usualRetention, ...retention });
}

/** Opens it with a queue of what another store is still to take. Throws as openResults does. */
export async function openQueuedResults(
  dataDir: string,
  retention: Partial<Retention>,
): Promise<QueuedResults> {
  const database = openFolder(dataDir);
  try {
    return await withQueue(openStore(database, { ...usualRetention, ...retention }), database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens a store for reading, even while a monitor writes. Throws MissingStore if it does not exist. */
export async function openResultsForReading(dataDir: string): Promise<ResultsReader> {
  return openReader(readableDatabase(openToRead(dataDir)));
}

/** Opens the database of a data folder, and holds the folder's lock until it is closed. */
function openFolder(dataDir: string): Database {
  makeFolder(dataDir);
  const lock = takeLock(dataDir);
  let writing: DatabaseSync | undefined;
  try {
    writing = openToWrite(dataDir);
    return writableDatabase(openToRead(dataDir), writing, () => lock.release());
  } catch (error) {
    writing?.close();
    lock.release();
    throw error;
  }
}

/** The right to write to a data folder; it ends with `release`, or with the process however that ends. */
export type WriterLock = { release(): void };

/** Longest wait in ms to read who holds it. */
const patience = 500;

/**
 * Takes the lock of a data folder. It is the operating system's lock on a file, held by an open transaction: no
 * process id has to be trusted, and a killed process leaves none behind. Throws StoreInUse with the holder's id.
 */
export function takeLock(dataDir: string): WriterLock {
  const path = join(dataDir, 'writer.lock');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: patience });
    database.exec('BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER, since TEXT)');
    database.exec('DELETE FROM holder');
    database
      .prepare('INSERT INTO holder VALUES (?, ?)')
      .run(process.pid, new Date().toISOString().slice(0, 19));
    // Committed so that others may read it; a process that comes in between the two holds it then.
    database.exec('COMMIT; BEGIN IMMEDIATE');
    return { release: () => database?.close() };
  } catch (error) {
    const refusal = database && isBusy(error) ? inUseError(database, dataDir) : unwritableError(path, error);
    database?.close();
    throw refusal;
  }
}

function unwritableError(path: string, error: unknown): StoreError {
  const trouble = classifyDatabaseError(error);
  if (trouble === 'full') return new StoreFull(explainDatabaseError(path, trouble));
  return new StoreError(
    `${path} cannot be written (${(error as Error).message}): check the folder's permissions, or give another.`,
  );
}

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && (errcode & 0xff) === 5;
}

function inUseError(database: DatabaseSync, dataDir: string): StoreInUse {
  const { pid = 'unknown', since = 'an unknown time' } = readHolder(database);
  return new StoreInUse(
    `${dataDir} is written by process ${pid} since ${since} UTC: end that one, or give another data folder.`,
  );
}

/** Undefined if the holder has not written its name yet. */
function readHolder(database: DatabaseSync): Record<string, unknown> {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
    return database.prepare('SELECT pid, since FROM holder').get() ?? {};
  } catch {
    return {};
  }
}
