import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { makeFolder } from '../../files/make-folder.ts';
import { takeLock, type WriterLock } from '../lock.ts';
import type { QueuedResults } from '../queued-results.ts';
import type { RecordBatch, ResultsReader, ResultsStore } from '../results-store.ts';
import { type Retention, usualRetention } from '../retention.ts';
import { BatchWriter } from './batch-writer.ts';
import { inTransaction, openToRead, openToWrite } from './database.ts';
import { Queue } from './queue.ts';
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
  return openWriter(dataDir, retention, ({ store }) => store);
}

/** The same with a queue of what another store is still to take. Throws as openResults does. */
export async function openQueuedResults(
  dataDir: string,
  retention: Partial<Retention> = {},
): Promise<QueuedResults> {
  return openWriter(dataDir, retention, ({ store, database, writer, inOneGo }) => {
    const queue = new Queue(database);
    return {
      ...store,
      folder: queue.folder,
      queue: (batch, queued) =>
        inOneGo(() => {
          writer.write(batch);
          queue.add(queued);
        }),
      queued: (most) => inOneGo(() => queue.first(most)),
      taken: (batches) => inOneGo(() => queue.remove(batches)),
    };
  });
}

/** The same to be looked at, while a monitor writes or not. Throws MissingStore where there is none. */
export async function openResultsForReading(dataDir: string): Promise<ResultsReader> {
  return readerOf(openToRead(dataDir));
}

type Writer = {
  readonly store: ResultsStore;
  readonly database: DatabaseSync;
  readonly writer: BatchWriter;
  /** Runs one work after the other, each in a transaction. */
  readonly inOneGo: <T>(work: () => T) => Promise<T>;
};

async function openWriter<Store>(
  dataDir: string,
  retention: Partial<Retention>,
  made: (writer: Writer) => Store,
): Promise<Store> {
  makeFolder(dataDir);
  const lock = takeLock(dataDir);
  let database: DatabaseSync | undefined;
  try {
    database = openToWrite(dataDir);
    const tidying = new Tidying(database, { ...usualRetention, ...retention });
    return made(writerOf(database, readerOf(openToRead(dataDir)), tidying, lock));
  } catch (error) {
    database?.close();
    lock.release();
    throw error;
  }
}

/** Reads over a connection of its own, so that nothing shows before it is committed; writes one after the other. */
function writerOf(database: DatabaseSync, reader: ResultsReader, tidying: Tidying, lock: WriterLock): Writer {
  const writer = new BatchWriter(database);
  const inTurn = turns();
  const inOneGo = <T>(work: () => T): Promise<T> => inTurn(() => inTransaction(database, work));
  const store: ResultsStore = {
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
  return { store, database, writer, inOneGo };
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
