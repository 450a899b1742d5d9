import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DatabaseConnection, DialectWords, SqlParameter } from '../store/database.ts';
import {
  databaseColumns,
  onConflict,
  type PutOptions,
  quote,
  type StoredCell,
  type StoredRow,
  type StoredTable,
} from '../tables/table.ts';

/** Runs the statements of one SQLite connection at once; each is prepared once. */
export class SqliteConnection implements DatabaseConnection {
  readonly words: DialectWords = {
    arrival: 'rowid',
    incidentSlots: "incident ->> 'slots'",
    selectBytes: `SELECT page_count * page_size, freelist_count * page_size
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    anyValue: (value) => value,
  };
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #changes = new Map<StoredTable, Map<string, StatementSync>>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  readonly query = async (sql: string, parameters: readonly SqlParameter[] = []): Promise<StoredRow[]> =>
    this.#statement(sql).all(...parameters.map(toCell)) as unknown as StoredRow[];

  readonly stream = async (
    sql: string,
    parameters: readonly SqlParameter[] = [],
  ): Promise<Iterable<StoredRow>> =>
    this.#statement(sql).iterate(...parameters.map(toCell)) as unknown as Iterable<StoredRow>;

  readonly put = async (
    table: StoredTable,
    rows: readonly StoredRow[],
    options: PutOptions,
  ): Promise<void> => {
    if (rows.length === 0) return;
    const statement = this.#change(table, options.where ?? options.onConflict, () => putText(table, options));
    for (const row of rows) statement.run(...row);
  };

  readonly remove = async (
    table: StoredTable,
    columns: readonly string[],
    keys: readonly StoredRow[],
  ): Promise<void> => {
    const statement = this.#change(table, columns.join(), () => removeText(table, columns));
    for (const key of keys) statement.run(...key);
  };

  #statement(sql: string): StatementSync {
    return getOrMake(this.#statements, sql, () => {
      const statement = this.#database.prepare(toSqlite(sql));
      statement.setReturnArrays(true);
      return statement;
    });
  }

  #change(table: StoredTable, name: string, text: () => string): StatementSync {
    const statements = getOrMake(this.#changes, table, () => new Map<string, StatementSync>());
    return getOrMake(statements, name, () => this.#database.prepare(toSqlite(text())));
  }
}

function putText(table: StoredTable, options: PutOptions): string {
  const columns = databaseColumns(table, 'sqlite');
  const names = columns.map(({ name }) => quote(name)).join(', ');
  const values = columns.map((column) => `$${table.columns.indexOf(column) + 1}`).join(', ');
  return `INSERT INTO results.${table.name} (${names}) VALUES (${values}) ${onConflict(table, 'sqlite', options)}`;
}

function removeText(table: StoredTable, columns: readonly string[]): string {
  const conditions = columns.map((name, index) => `${quote(name)} = $${index + 1}`);
  return `DELETE FROM results.${table.name} WHERE ${conditions.join(' AND ')}`;
}

/** Returns a statement as SQLite has it: no schema, no types of parameters, and lists as JSON. */
export function toSqlite(sql: string): string {
  return sql
    .replaceAll(/\bresults\./g, '')
    .replaceAll(
      /unnest\((\$\d+)::\w+\[\]\) AS (\w+) \((\w+)\)/g,
      '(SELECT value AS $3 FROM json_each($1)) AS $2',
    )
    .replaceAll(/= ANY \((\$\d+)(::\w+\[\])?\)/g, 'IN (SELECT value FROM json_each($1))')
    .replaceAll(/::\w+(\[\])?/g, '')
    .replaceAll(/\$(\d+)/g, '?$1');
}

function toCell(parameter: SqlParameter): StoredCell {
  return isList(parameter) ? JSON.stringify(parameter) : parameter;
}

function isList(parameter: SqlParameter): parameter is readonly (number | string)[] {
  return Array.isArray(parameter);
}

function getOrMake<Key, Value>(values: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = make();
  values.set(key, value);
  return value;
}
