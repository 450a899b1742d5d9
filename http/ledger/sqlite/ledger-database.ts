import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { makeFolder } from '../../../files/write-files.ts';
import { LedgerUnavailable } from '../ledger-store.ts';

/** Longest wait in ms for another process. */
const patienceMs = 5000;

const layout = 3;

/** Works of one moment, each of which gives back how it ends once the transaction that they share has. */
type Moment = { readonly works: (() => () => void)[]; readonly failed: ((error: unknown) => void)[] };

/** The pace that the probes of each holder want, in requests per ms. */
const memberTable = `
  CREATE TABLE member (
    account TEXT NOT NULL, holder INTEGER NOT NULL, pace REAL NOT NULL, PRIMARY KEY (account, holder)
  ) STRICT, WITHOUT ROWID;
`;

const tables = `
  ${memberTable}
  CREATE TABLE account (id TEXT PRIMARY KEY, ledger TEXT NOT NULL) STRICT;
  CREATE TABLE holder (id INTEGER PRIMARY KEY AUTOINCREMENT, process TEXT NOT NULL, seen INTEGER NOT NULL) STRICT;
  CREATE TABLE reservation (
    id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, holder INTEGER NOT NULL, remaining INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE flight (id TEXT PRIMARY KEY, account TEXT NOT NULL, holder INTEGER NOT NULL) STRICT;
  CREATE TABLE event (serial INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, event TEXT NOT NULL) STRICT;
`;

/** From layout 1, in which requests of others had another name in an account, and from layout 2, which had no members. */
const upgrades = [`UPDATE account SET ledger = replace(ledger, '"told":', '"foreign":');`, memberTable];

/** One SQLite file that several processes of a machine write in turns. Every trouble with it is LedgerUnavailable. */
export class LedgerDatabase {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #turn: Readonly<Record<'begin' | 'commit', StatementSync>>;
  #moment: Moment | undefined;

  /** Makes folder (0700) and file (0600) where they are missing. @throws LedgerUnavailable */
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

  /** All that `work` writes is kept, or nothing; no other process writes meanwhile. @throws LedgerUnavailable */
  transaction<T>(work: () => T): T {
    return this.#explainTrouble(() => {
      this.#turn.begin.run();
      try {
        const result = work();
        this.#turn.commit.run();
        return result;
      } catch (error) {
        // A full disk has ended it already.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** The same for all calls of one moment, as from many slots; a `work` that throws must not have written. */
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
    const isOlder = found === 0 || found === 1 || found === 2;
    if (!isOlder) {
      throw new LedgerUnavailable(
        `${this.#file}: it has layout ${found}, this version reads ${layout}: name another file, or remove it.`,
      );
    }
    this.#database.exec(found === 0 ? tables : upgrades.slice(found - 1).join('\n'));
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

/** A power cut may take the last requests booked with it; what it leaves is whole. */
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

/** SQLite does not wait here: a second process that opens a new file at the same moment is refused at once. */
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
