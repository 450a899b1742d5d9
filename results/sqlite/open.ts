import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { makeFolder } from '../../files/make-folder.ts';
import { takeLock, type WriterLock } from '../lock.ts';
import type { RecordBatch, ResultsReader, ResultsStore } from '../results-store.ts';
import { type Retention, usualRetention } from '../retention.ts';
import { BatchWriter } from './batch-writer.ts';
import { inTransaction, openToRead, openToWrite } from './database.ts';
import { readerOf } from './reading.ts';
import { Tidying } from './tidying.ts';

/**
 * The store of a data folder, made where it is missing, for its one writer. Throws StoreInUse where there is one
 * already, UnreadableStore for a file of another layout.
 */
export async function openResults(
  dataDir: string,
  retention: Partial<Retention> = {},
): Promise<ResultsStore> {
  makeFolder(dataDir);
  const lock = takeLock(dataDir);
  let database: DatabaseSync | undefined;
  try {
    database = openToWrite(dataDir);
    const tidying = new Tidying(database, { ...usualRetention, ...retention });
    return storeOf(database, readerOf(openToRead(dataDir)), tidying, lock);
  } catch (error) {
    database?.close();
    lock.release();
    throw error;
  }
}

/** The same to be looked at, while a monitor writes or not. Throws MissingStore where there is none. */
export async function openResultsForReading(dataDir: string): Promise<ResultsReader> {
  return readerOf(openToRead(dataDir));
}

/** Reads over a connection of its own, so that nothing shows before it is committed; writes one after the other. */
function storeOf(
  database: DatabaseSync,
  reader: ResultsReader,
  tidying: Tidying,
  lock: WriterLock,
): ResultsStore {
  const writer = new BatchWriter(database);
  const inTurn = turns();
  const inOneGo = <T>(work: () => T): Promise<T> => inTurn(() => inTransaction(database, work));
  return {
    ...reader,
    record: (batch) => inOneGo(() => writer.write(batch)),
    merge: (batches) => inTurn(() => writeAll(database, writer, batches)),
    async tidy(now) {
      // Between two pieces others have their turn.
      while (await inOneGo(() => tidying.piece(now))) await setImmediate();
    },
    close: () =>
      inTurn(async () => {
        await reader.close();
        database.close();
        lock.release();
      }),
  };
}

async function writeAll(
  database: DatabaseSync,
  writer: BatchWriter,
  batches: AsyncIterable<RecordBatch>,
): Promise<void> {
  database.exec('BEGIN IMMEDIATE');
  try {
    for await (const batch of batches) writer.write(batch, true);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Lets one work begin when the one before has ended, however it did. */
function turns(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
