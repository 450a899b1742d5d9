import type { PutOptions, StoredCell, StoredRow, StoredTable } from '../tables/table.ts';

/** A list goes with `= ANY ($1)` and `unnest($1)`. */
export type SqlParameter = StoredCell | readonly (number | string)[];

/** Sends statements, which are written as PostgreSQL reads them, and reads numbers as numbers. */
export type DatabaseConnection = {
  /** The words that differ between the databases. */
  readonly words: DialectWords;
  readonly query: (sql: string, parameters?: readonly SqlParameter[]) => Promise<StoredRow[]>;
  /** Returns rows that are read as they are taken, before the next statement is sent. */
  readonly stream: (sql: string, parameters?: readonly SqlParameter[]) => Promise<Iterable<StoredRow>>;
  /** Deletes the rows whose `columns` have the values of one of `keys`. */
  readonly remove: (
    table: StoredTable,
    columns: readonly string[],
    keys: readonly StoredRow[],
  ) => Promise<void>;
  /** Writes rows, one after the other. */
  readonly put: (table: StoredTable, rows: readonly StoredRow[], options: PutOptions) => Promise<void>;
};

/** SQL that differs between the databases. */
export type DialectWords = {
  /** Orders deliveries by their arrival. */
  readonly arrival: string;
  /** The number of slots of an incident. */
  readonly incidentSlots: string;
  /** Selects the bytes on the disk, and those of them that are free. */
  readonly selectBytes: string;
  /** Returns the parameter for a column that holds a number or a text. */
  readonly anyValue: (value: number | string) => StoredCell;
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
