import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DatabaseConnection } from '../store/database.ts';
import type { Dialect, Sql, SqlParameter } from '../store/sql.ts';
import {
  onConflict,
  type PutOptions,
  quote,
  type StoredCell,
  type StoredRow,
  type StoredTable,
} from '../tables/table.ts';

const dialect: Dialect = {
  table: (name) => name,
  place: () => '?',
  list: (values) => JSON.stringify(values),
  among: (place) => `IN (SELECT value FROM json_each(${place}))`,
  rowsOf: (place, column) => `(SELECT value AS ${column} FROM json_each(${place}))`,
  anyValue: (value) => value,
  arrival: 'rowid',
  selectBytes: `SELECT page_count * page_size, freelist_count * page_size
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
};

/** Runs the statements of one SQLite connection at once; each is prepared once. */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #changes = new Map<StoredTable, Map<string, StatementSync>>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  readonly query = async (statement: Sql): Promise<StoredRow[]> => {
    const [prepared, cells] = this.#bind(statement);
    return prepared.all(...cells) as unknown as StoredRow[];
  };

  readonly stream = async (statement: Sql): Promise<Iterable<StoredRow>> => {
    const [prepared, cells] = this.#bind(statement);
    return prepared.iterate(...cells) as unknown as Iterable<StoredRow>;
  };

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

  #bind(statement: Sql): [StatementSync, StoredCell[]] {
    const cells: StoredCell[] = [];
    const text = statement(dialect, cells as SqlParameter[]);
    const prepared = getOrMake(this.#statements, text, () => {
      const made = this.#database.prepare(text);
      made.setReturnArrays(true);
      return made;
    });
    return [prepared, cells];
  }

  #change(table: StoredTable, name: string, text: () => string): StatementSync {
    const statements = getOrMake(this.#changes, table, () => new Map<string, StatementSync>());
    return getOrMake(statements, name, () => this.#database.prepare(text()));
  }
}

function putText(table: StoredTable, options: PutOptions): string {
  const names = table.columns.map(({ name }) => quote(name)).join(', ');
  const places = table.columns.map(() => '?').join(', ');
  return `INSERT INTO ${table.name} (${names}) VALUES (${places}) ${onConflict(table, options)}`;
}

function removeText(table: StoredTable, columns: readonly string[]): string {
  return `DELETE FROM ${table.name} WHERE ${columns.map((name) => `${quote(name)} = ?`).join(' AND ')}`;
}

function getOrMake<Key, Value>(values: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = make();
  values.set(key, value);
  return value;
}
