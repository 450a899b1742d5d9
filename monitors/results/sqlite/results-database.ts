import type { DatabaseSync } from 'node:sqlite';
import type { Database, DatabaseConnection, ReadableDatabase } from '../store/database.ts';
import { explainError } from './database.ts';
import { SqliteConnection } from './sqlite-connection.ts';

/** Returns a database over a connection that only reads. */
export function readableDatabase(native: DatabaseSync): ReadableDatabase {
  const connection = new SqliteConnection(native);
  const inTurn = makeQueue();
  return {
    ...connection,
    // Outside of a snapshot, so that it meets what was written last.
    query: (statement) => inTurn(() => explainErrors(native, () => connection.query(statement))),
    snapshot: (work) => inTurn(() => runInTransaction(native, 'BEGIN', () => work(connection))),
    close: () => inTurn(async () => native.close()),
  };
}

/** Returns a database that reads over one connection, so that nothing shows before it is committed, and writes over another. */
export function writableDatabase(
  reading: DatabaseSync,
  writing: DatabaseSync,
  onClose: () => void,
): Database {
  const reader = readableDatabase(reading);
  const connection = new SqliteConnection(writing);
  const inTurn = makeQueue();
  const write = <T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> =>
    inTurn(() => runInTransaction(writing, 'BEGIN IMMEDIATE', () => work(connection)));
  return {
    ...reader,
    ...{ isShared: false, write, upkeep: write },
    close: () =>
      inTurn(async () => {
        await reader.close();
        writing.close();
        onClose();
      }),
  };
}

async function runInTransaction<T>(
  database: DatabaseSync,
  begin: string,
  work: () => Promise<T>,
): Promise<T> {
  database.exec(begin);
  try {
    const result = await work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw explainError(error, databasePath(database));
  }
}

async function explainErrors<T>(database: DatabaseSync, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainError(error, databasePath(database));
  }
}

function databasePath(database: DatabaseSync): string {
  return database.location() ?? 'results.db';
}

/** Returns a way to begin one work when the one before has ended, however it did. */
function makeQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
