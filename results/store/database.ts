import type { Cell, PutOptions, Row, Table } from '../tables/table.ts';

/** A list goes with `= ANY ($1)` and `unnest($1)`. */
export type Parameter = Cell | readonly (number | string)[];

/** Sends statements, which are written as PostgreSQL reads them, and reads numbers as numbers. */
export type Connection = {
  /** Spelled out where the databases name things differently. */
  readonly words: DialectWords;
  readonly query: (sql: string, parameters?: readonly Parameter[]) => Promise<Row[]>;
  /** Returns rows that are read as they are taken, before the next statement is sent. */
  readonly stream: (sql: string, parameters?: readonly Parameter[]) => Promise<Iterable<Row>>;
  /** Deletes the rows whose `columns` have the values of one of `keys`. */
  readonly remove: (table: Table, columns: readonly string[], keys: readonly Row[]) => Promise<void>;
  /** Writes rows, one after the other. */
  readonly put: (table: Table, rows: readonly Row[], options: PutOptions) => Promise<void>;
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
  readonly anyValue: (value: number | string) => Cell;
};

/** A database that is only read. */
export type ReadableDatabase = Connection & {
  /** Reads as of one instant. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export type Database = ReadableDatabase & {
  /** Do several processes write to it? */
  readonly isShared: boolean;
  /** Keeps all writes of a work, or none. */
  write<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** The same alone, so that what it reads is all that was written. */
  upkeep<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
};
