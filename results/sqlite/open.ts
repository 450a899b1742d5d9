import type { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../files/make-folder.ts';
import { type ResultsReader, type ResultsStore, type Retention, usualRetention } from '../results-store.ts';
import type { Database } from '../store/database.ts';
import { openReader } from '../store/reader.ts';
import { openStore } from '../store/store.ts';
import { openToRead, openToWrite } from './database.ts';
import { takeLock } from './lock.ts';
import { type QueuedResults, withQueue } from './queue.ts';
import { readableDatabase, writableDatabase } from './results-database.ts';

/**
 * Opens the store of a data folder, made where it is missing, for its one writer. Throws StoreInUse where there is one
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
  retention: Partial<Retention> = {},
): Promise<QueuedResults> {
  const database = openFolder(dataDir);
  try {
    return await withQueue(openStore(database, { ...usualRetention, ...retention }), database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens it for reading, while a monitor writes or not. Throws MissingStore where there is none. */
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
