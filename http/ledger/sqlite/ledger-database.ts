import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { makeFolder } from '../../../files/write-files.ts';
import { LedgerUnavailable } from '../ledger-store.ts';

/** Longest wait in ms for another process. */
const patienceMs = 5000;

const layout = 4;

/** Functions that share a transaction; each returns a callback for the time after the commit. */
type Moment = { readonly works: (() => () => void)[]; readonly failed: ((error: unknown) => void)[] };

const tables = `
  -- The pace that each holder's probes need, in requests per ms.
  CREATE TABLE member (
    account TEXT NOT NULL, holder INTEGER NOT NULL, pace REAL NOT NULL, PRIMARY KEY (account, holder)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE account (id TEXT PRIMARY KEY, ledger TEXT NOT NULL) STRICT;
  CREATE TABLE holder (id INTEGER PRIMARY KEY AUTOINCREMENT, process TEXT NOT NULL, seen INTEGER NOT NULL) STRICT;
  CREATE TABLE reservation (
    id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, holder INTEGER NOT NULL, remaining INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE flight (id TEXT PRIMARY KEY, account TEXT NOT NULL, holder INTEGER NOT NULL) STRICT;
  CREATE TABLE event (serial INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, event TEXT NOT NULL) STRICT;
`;

/** One SQLite file that several processes of a machine write in turn. Every error of it becomes LedgerUnavailable. */
export class LedgerDatabase {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #turn: Readonly<Record<'begin' | 'commit', StatementSync>>;
  #moment: Moment | undefined;

  /** Makes the folder (0700) and the file (0600) if they are missing. @throws LedgerUnavailable */
  constructor(file: string) {
    this.#file = file;
    this.#database = this.#explainTrouble(() => openDatabase(file));
    this.#turn = { begin: this.prepare('BEGIN IMMEDIATE'), commit: this.prepare('COMMIT') };
    try {
      this.transaction(() => this.#createTables());
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  prepare(sql: string): StatementSync {
    return this.#explainTrouble(() => this.#database.prepare(sql));
  }

  /** Runs `work` in a transaction, during which no other process writes. @throws LedgerUnavailable */
  transaction<T>(work: () => T): T {
    return this.#explainTrouble(() => {
      this.#turn.begin.run();
      try {
        const result = work();
        this.#turn.commit.run();
        return result;
      } catch (error) {
        // A full disk has ended the transaction already.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** Runs simultaneous calls in one transaction; a `work` that throws must not have written anything. */
  runTogether<T>(work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#moment ??= this.#nextMoment();
    this.#moment.failed.push(reject);
    this.#moment.works.push(() => {
      try {
        const result = work();
        return () => resolve(result);
      } catch (error) {
        if (isTrouble(error)) throw error;
        return () => reject(error);
      }
    });
    return promise;
  }

  #nextMoment(): Moment {
    const moment: Moment = { works: [], failed: [] };
    setImmediate(() => {
      this.#moment = undefined;
      try {
        for (const end of this.transaction(() => moment.works.map((work) => work()))) end();
      } catch (error) {
        for (const fail of moment.failed) fail(error);
      }
    });
    return moment;
  }

  /** Runs one read, which is consistent by itself. @throws LedgerUnavailable */
  read<T>(work: () => T): T {
    return this.#explainTrouble(work);
  }

  close(): void {
    this.#database.close();
  }

  #createTables(): void {
    const found = this.#database.prepare('PRAGMA user_version').get()?.user_version;
    if (found === layout) return;
    if (found !== 0) {
      throw new LedgerUnavailable(
        `${this.#file}: it has layout ${found}, this version reads ${layout}: name another file, or remove it.`,
      );
    }
    this.#database.exec(tables);
    this.#database.exec(`PRAGMA user_version = ${layout}`);
  }

  #explainTrouble<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isTrouble(error)) throw error;
      throw new LedgerUnavailable(`${this.#file}: the ledger cannot be kept here: ${error.message}`, {
        cause: error,
      });
    }
  }
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
    database.exec('PRAGMA synchronous = NORMAL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
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
