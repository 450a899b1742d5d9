import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Statements } from '@candleproof/files/database-file';
import { makeFolder } from '@candleproof/files/write-files';
import { type LedgerDatabase, LedgerUnavailable, ledgerLayout, ledgerTable } from './ledger-store.ts';

/** Longest wait in ms for another process. */
const patienceMs = 5000;

/**
 * Opens one SQLite file that several processes of a machine write in turn. Makes the folder (0700) and the file (0600)
 * if they are missing.
 * @throws LedgerUnavailable, as every statement may
 */
export function openSqliteLedger(file: string): LedgerDatabase {
  const explain = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!isTrouble(error)) throw error;
      const message = `${file}: the ledger cannot be kept here: ${error.message}`;
      throw new LedgerUnavailable(message, { cause: error });
    }
  };
  const database = explain(() => openDatabase(file));
  const statements = new Statements(database);
  return {
    clock: "unixepoch('subsec') * 1000.0",
    parameters: ['?', '?', '?'],
    query: async (statement, values) => explain(() => statements.all(statement, ...values)),
    close: async () => database.close(),
  };
}

/** Returns whether an error concerns the database or its file. */
function isTrouble(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(ERR_SQLITE_ERROR|ERR_INVALID_STATE|E[A-Z]+)$/.test(code);
}

/** Opens the file so that a power cut may lose the last bookings, but leaves the rest consistent. */
function openDatabase(file: string): DatabaseSync {
  makeFolder(dirname(file), 0o700);
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: patienceMs });
  try {
    switchToLog(database);
    database.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
    createTable(database, file);
    database.exec('COMMIT');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function createTable(database: DatabaseSync, file: string): void {
  const found = database.prepare('PRAGMA user_version').get()?.user_version;
  if (found === ledgerLayout) return;
  if (found !== 0) {
    throw new LedgerUnavailable(
      `${file}: it has layout ${found}, this version reads ${ledgerLayout}: name another file, or remove it.`,
    );
  }
  database.exec(`${ledgerTable}; PRAGMA user_version = ${ledgerLayout}`);
}

/** Retries, because SQLite refuses this at once while another process opens the same new file. */
function switchToLog(database: DatabaseSync): void {
  for (const end = performance.now() + patienceMs; ; ) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (performance.now() > end || !/locked/.test(String(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
