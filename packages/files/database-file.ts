import { rmSync, statSync } from 'node:fs';
import type {
  DatabaseSync,
  SQLInputValue,
  SQLOutputValue,
  StatementResultingChanges,
  StatementSync,
} from 'node:sqlite';

/** SQLite result codes that concern its file; those of failed writes, such as at a disk quota, are extended codes. */
const sqlite = { readOnly: 8, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const;
const notWritten = new Set([778, 4874]);

/** Milliseconds that a file may stay empty while another process makes it. */
const usualPatience = 1000;

/** Classifies an error of SQLite by its remedy; undefined for one that does not concern the file. */
export function classifyDatabaseError(error: unknown): 'closed' | 'damaged' | 'full' | undefined {
  const { errcode = 0 } = error as { errcode?: number };
  const code = errcode & 0xff;
  if (code === sqlite.cannotOpen || code === sqlite.readOnly) return 'closed';
  if (code === sqlite.corrupt || code === sqlite.notADatabase) return 'damaged';
  return code === sqlite.full || notWritten.has(errcode) ? 'full' : undefined;
}

/** Explains such an error in one line with the remedy. */
export function explainDatabaseError(
  path: string,
  trouble: NonNullable<ReturnType<typeof classifyDatabaseError>>,
): string {
  if (trouble === 'full') return `${path}: its disk is full or takes nothing more; make room on it.`;
  if (trouble === 'closed') return `${path} cannot be opened: check the permissions of it and of its folder.`;
  return `${path} is damaged or no store of ours: move it away or give another data folder.`;
}

/** Returns why a file must not be opened: SQLite treats an empty one as a new database, whatever it held before. */
export function emptyFile(path: string, patience = usualPatience): string | undefined {
  for (const end = performance.now() + patience; sizeOf(path) === 0; ) {
    if (performance.now() > end) {
      return `${path} is empty, so what it held is lost: put a copy in its place, or remove it to begin anew.`;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
  return undefined;
}

/** Opens or creates a database; if a full disk prevents its creation, removes the empty file. */
export function openDatabaseFile<T>(path: string, open: () => T): T {
  const isNew = sizeOf(path) === undefined;
  try {
    return open();
  } catch (error) {
    if (isNew && sizeOf(path) === 0) rmSync(path);
    throw error;
  }
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** Runs the statements of one SQLite database; each is prepared once. */
export class Statements {
  readonly #database: Pick<DatabaseSync, 'prepare'>;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: Pick<DatabaseSync, 'prepare'>) {
    this.#database = database;
  }

  run(sql: string, ...values: SQLInputValue[]): StatementResultingChanges {
    return this.prepare(sql).run(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue> | undefined {
    return this.prepare(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue>[] {
    return this.prepare(sql).all(...values);
  }

  /** Returns the prepared statement of a text. */
  prepare(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
