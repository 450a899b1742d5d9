import type { PutOptions, StoredRow, StoredTable } from '../tables/table.ts';
import type { Sql } from './sql.ts';

/** Sends statements in the dialect of a database, and reads numbers as numbers. */
export type DatabaseConnection = {
  readonly query: (statement: Sql) => Promise<StoredRow[]>;
  /** Returns rows that are read as they are taken, before the next statement is sent. */
  readonly stream: (statement: Sql) => Promise<Iterable<StoredRow>>;
  /** Deletes the rows whose `columns` have the values of one of `keys`. */
  readonly remove: (
    table: StoredTable,
    columns: readonly string[],
    keys: readonly StoredRow[],
  ) => Promise<void>;
  /** Writes rows, one after the other. */
  readonly put: (table: StoredTable, rows: readonly StoredRow[], options: PutOptions) => Promise<void>;
};

/** A database that is only read. */
export type ReadableDatabase = DatabaseConnection & {
  /** Reads as of one instant. */
  snapshot<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export type Database = ReadableDatabase & {
  /** Do several processes write to it? */
  readonly isShared: boolean;
  /** Commits all writes of `work`, or none. */
  write<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T>;
  /** Runs `work` in an exclusive write transaction, so that it reads everything written. */
  upkeep<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T>;
};
