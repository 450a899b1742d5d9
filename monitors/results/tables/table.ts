/** One value of a row. */
export type StoredCell = number | string | Uint8Array | null;

/** The values of a row in the order of its columns. */
export type StoredRow = readonly StoredCell[];

/** For an existing row with the same key: `replace` overwrites it, `ignore` keeps it, `fail` throws. */
export type PutOptions = {
  readonly onConflict: 'replace' | 'ignore' | 'fail';
  /** SQL that must hold for a row to be replaced; the new one is `excluded`. */
  readonly where?: string;
};

/** The databases that hold results; if the two differ, both texts are given. */
export type DatabaseKind = 'sqlite' | 'postgres';

/** Returns the name of a table in a database. */
export const tableNames: Readonly<Record<DatabaseKind, (name: string) => string>> = {
  sqlite: (name) => name,
  postgres: (name) => `results.${name}`,
};

const sqlTypes = {
  int2: { sqlite: 'INTEGER', postgres: 'int2' },
  int4: { sqlite: 'INTEGER', postgres: 'int4' },
  int8: { sqlite: 'INTEGER', postgres: 'int8' },
  count: { sqlite: 'INTEGER', postgres: 'float8' },
  text: { sqlite: 'TEXT', postgres: 'text' },
  bytes: { sqlite: 'BLOB', postgres: 'bytea' },
  /** A number or a text; JSON in PostgreSQL, which has no column for both. */
  any: { sqlite: 'ANY', postgres: 'text' },
} as const;

export type ColumnType = keyof typeof sqlTypes;

export type StoredColumn = {
  readonly name: string;
  readonly type: ColumnType;
  /** May it be NULL? */
  readonly isOptional?: boolean;
};

export type StoredTable = {
  readonly name: string;
  readonly columns: readonly StoredColumn[];
  /** Names of the columns of the primary key. */
  readonly key: readonly string[];
  /** `numbered`: the database numbers the rows by the key. `arrival`: SQLite keeps them in the order in which they came. */
  readonly rows?: 'numbered' | 'arrival';
  /** Further lines of the table, such as a column that the database fills by itself. */
  readonly lines?: Readonly<Partial<Record<DatabaseKind, readonly string[]>>>;
  /** Indexes by their names, each with what follows the name of the table. */
  readonly indexes?: Readonly<Record<string, string>>;
};

/** Describes the JSON of one field. */
export type FieldSchema = { readonly [keyword: string]: unknown };

export type Draft<R> = { -readonly [Name in keyof R]?: R[Name] };

/** A column that holds one field of a record, or several. */
export type RecordColumn<R> = StoredColumn & {
  /** By the name of the field. */
  readonly fields: Readonly<Record<string, FieldSchema>>;
  /** Names of the fields that every record has. */
  readonly required?: readonly string[];
  /** `planned` is the planned instant of the slot, Unix ms. */
  readonly write: (record: R, planned: number) => StoredCell;
  readonly read: (record: Draft<R>, cell: StoredCell, planned: number) => void;
};

/** A table whose rows are records, behind the columns that say whose and when. */
export type RecordTable<R> = StoredTable & {
  readonly recordColumns: readonly RecordColumn<R>[];
  /** The same with their places in a row, in the order in which the fields of a record come. */
  readonly reading: readonly (readonly [place: number, read: RecordColumn<R>['read']])[];
};

/**
 * Returns a table whose rows begin with `leading` columns. `readFirst` names the columns whose fields come first in a record; the others follow in the order of the table.
 */
export function recordTable<R>(
  table: Omit<StoredTable, 'columns'> & {
    readonly leading: readonly StoredColumn[];
    readonly recordColumns: readonly RecordColumn<R>[];
    readonly readFirst?: readonly string[];
  },
): RecordTable<R> {
  const { leading, readFirst = [], ...rest } = table;
  const { recordColumns } = table;
  const columns = [...leading, ...recordColumns];
  const first = readFirst.flatMap((name) => recordColumns.filter((column) => column.name === name));
  const reading = [...new Set([...first, ...recordColumns])].map(
    (column) => [columns.indexOf(column), column.read] as const,
  );
  return { ...rest, columns, reading };
}

/** Returns the row of a record behind the cells of the leading columns. */
export function writeRow<R>(table: RecordTable<R>, leading: StoredRow, record: R, planned = 0): StoredRow {
  const row = [...leading];
  for (const { write } of table.recordColumns) row.push(write(record, planned));
  return row;
}

/** Fills in a record from its row. */
export function readRow<R>(table: RecordTable<R>, record: Draft<R>, row: StoredRow, planned = 0): R {
  for (const [place, read] of table.reading) read(record, row[place] ?? null, planned);
  return record as R;
}

/** Returns the SQL type of a column. */
export function sqlType({ type }: StoredColumn, database: DatabaseKind): string {
  return sqlTypes[type][database];
}

/** Returns the statements that create a table. */
export function createTable(table: StoredTable, database: DatabaseKind): string {
  const name = tableNames[database](table.name);
  const key = table.key.map(quote).join(', ');
  const lines = [
    ...(table.rows === 'numbered' ? [numberColumns[database](key)] : []),
    ...table.columns.map((column) => columnText(column, database)),
    ...(table.lines?.[database] ?? []),
    ...(table.rows === 'numbered' ? [] : [`PRIMARY KEY (${key})`]),
  ];
  const options = { sqlite: table.rows ? ' STRICT' : ' STRICT, WITHOUT ROWID', postgres: '' }[database];
  const indexes = Object.entries(table.indexes ?? {}).map(
    ([index, rest]) => `CREATE INDEX ${index} ON ${name} ${rest};\n`,
  );
  return `CREATE TABLE ${name} (\n  ${lines.join(',\n  ')}\n)${options};\n${indexes.join('')}`;
}

const numberColumns: Readonly<Record<DatabaseKind, (name: string) => string>> = {
  sqlite: (name) => `${name} INTEGER PRIMARY KEY`,
  postgres: (name) => `${name} int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY`,
};

function columnText(column: StoredColumn, database: DatabaseKind): string {
  return `${quote(column.name)} ${sqlType(column, database)}${column.isOptional ? '' : ' NOT NULL'}`;
}

/** One name of ours is a word of SQL. */
export function quote(name: string): string {
  return name === 'end' ? '"end"' : name;
}

/** Returns what an INSERT into a table ends with. */
export function onConflict(table: StoredTable, { onConflict, where }: PutOptions): string {
  if (onConflict === 'fail') return '';
  if (onConflict === 'ignore') return 'ON CONFLICT DO NOTHING';
  const values = table.columns.filter(({ name }) => !table.key.includes(name));
  const changes = values.map(({ name }) => `${quote(name)} = excluded.${quote(name)}`).join(', ');
  return `ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${changes}${where ? ` WHERE ${where}` : ''}`;
}
