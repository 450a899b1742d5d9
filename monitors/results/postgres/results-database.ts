import type { PostgresAddress } from '@candleproof/postgres/address';
import { createLayout, openLaidOut, type PostgresLayout } from '@candleproof/postgres/lay-out';
import type {
  PostgresDatabase,
  PostgresOptions,
  PostgresQuery,
  PostgresRow,
  PostgresValue,
} from '@candleproof/postgres/postgres-database';
import type { Database, DatabaseConnection } from '../store/database.ts';
import type { Dialect, Sql, SqlParameter } from '../store/sql.ts';
import { createTables, jsonColumns, layoutNumber } from '../tables/layout.ts';
import { findWay } from '../tables/migrations.ts';
import {
  onConflict,
  type PutOptions,
  quote,
  type StoredCell,
  type StoredColumn,
  type StoredRow,
  type StoredTable,
  sqlType,
  tableNames,
} from '../tables/table.ts';

/** Any number that no other program is likely to lock. */
const lock = 7_231_990_116;

/** Results in a PostgreSQL database. All of it throws PostgresTrouble, or an error of SQL. */
export type PostgresResults = Database & {
  /** `host:port/database`. */
  readonly place: string;
  /** Creates further tables if they are missing. */
  readonly layOut: (layout: PostgresLayout) => Promise<void>;
};

/** Opens a database for writing; creates its tables if they are missing. */
export async function openResultsDatabase(
  address: PostgresAddress,
  options: PostgresOptions,
): Promise<PostgresResults> {
  return wrapDatabase(await openLaidOut(address, resultsLayout, options));
}

/** Returns the results of an open database. */
export function wrapDatabase(database: PostgresDatabase): PostgresResults {
  const runWithin =
    (begin: string) =>
    <T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> =>
      database.transaction(async (query) => {
        await query(begin);
        return work(makeConnection(query));
      });
  return {
    ...makeConnection(database.query),
    place: database.place,
    isShared: true,
    layOut: (layout) => createLayout(database, layout),
    snapshot: runWithin('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY'),
    // Many write at once, but none while somebody rolls up or forgets: what that one read would not be all.
    write: runWithin(`SELECT pg_advisory_xact_lock_shared(${lock})`),
    upkeep: runWithin(`SELECT pg_advisory_xact_lock(${lock})`),
    close: () => database.close(),
  };
}

const dialect: Dialect = {
  table: tableNames.postgres,
  place: (number) => `$${number}`,
  list: (values) => values,
  among: (place, type) => `= ANY (${place}::${type}[])`,
  rowsOf: (place, column) => `(SELECT unnest(${place}::int8[]) AS ${column})`,
  anyValue: (value) => JSON.stringify(value),
  arrival: 'place',
  selectBytes: `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8, 0 AS free
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = 'results' AND c.relkind = 'r'`,
};

function makeConnection(send: PostgresQuery): DatabaseConnection {
  const query = async (statement: Sql): Promise<StoredRow[]> => {
    const parameters: SqlParameter[] = [];
    return (await send(statement(dialect, parameters), parameters)).map(readCells);
  };
  return {
    ...{ query, stream: query },
    async remove(table, columns, keys) {
      if (keys.length > 0) await send(removeText(table, columns), toLists(findColumns(table, columns), keys));
    },
    async put(table, rows, options) {
      const groups = options.onConflict === 'replace' ? distinctGroups(table, rows) : [rows];
      for (const group of groups) {
        if (group.length > 0) await send(putText(table, options), toLists(table.columns, group));
      }
    },
  };
}

/** Returns rows in groups without repeated keys, because a statement may change a row only once. */
function distinctGroups(table: StoredTable, rows: readonly StoredRow[]): StoredRow[][] {
  const places = table.key.map((name) => table.columns.findIndex((column) => column.name === name));
  const groups: StoredRow[][] = [];
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = JSON.stringify(places.map((place) => row[place]));
    const index = counts.get(key) ?? 0;
    counts.set(key, index + 1);
    const group = groups[index];
    if (group) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

function putText(table: StoredTable, options: PutOptions): string {
  const names = table.columns.map(({ name }) => quote(name)).join(', ');
  return `INSERT INTO ${tableNames.postgres(table.name)} (${names})
    SELECT * FROM ${unnest(table.columns)} ${onConflict(table, options)}`;
}

function removeText(table: StoredTable, names: readonly string[]): string {
  const conditions = names.map((name) => `kept.${quote(name)} = gone.${quote(name)}`);
  const gone = `gone (${names.map(quote).join(', ')})`;
  return `DELETE FROM ${tableNames.postgres(table.name)} AS kept
    USING ${unnest(findColumns(table, names))} AS ${gone} WHERE ${conditions.join(' AND ')}`;
}

function findColumns(table: StoredTable, names: readonly string[]): StoredColumn[] {
  return names.flatMap((name) => table.columns.filter((column) => column.name === name));
}

function unnest(columns: readonly StoredColumn[]): string {
  return `unnest(${columns.map((column, index) => `$${index + 1}::${sqlType(column, 'postgres')}[]`).join(', ')})`;
}

/** Returns rows as a list for each of their columns. */
function toLists(columns: readonly StoredColumn[], rows: readonly StoredRow[]): unknown[][] {
  return columns.map(({ type }, place) => rows.map((row) => toParameter(row[place] ?? null, type === 'any')));
}

function toParameter(cell: StoredCell, isJson: boolean): unknown {
  if (cell instanceof Uint8Array) return Buffer.from(cell);
  return isJson && cell !== null ? JSON.stringify(cell) : cell;
}

/** Returns the cells of a row as SQLite has them; int8 holds times and counts here, which numbers hold as exactly. */
function readCells(row: PostgresRow): StoredRow {
  return Object.entries(row).map(([name, value]) =>
    typeof value === 'string' && jsonColumns.has(name) ? JSON.parse(value) : readCell(value),
  );
}

function readCell(value: PostgresValue): StoredCell {
  return typeof value === 'bigint' ? Number(value) : (value as StoredCell);
}

/** Layouts before the fourth had a number of their own here. */
const ownNumbers: Readonly<Record<number, number>> = { 1: 3 };

async function migrate(query: PostgresQuery, found: number): Promise<boolean> {
  const way = findWay(ownNumbers[found] ?? found, layoutNumber);
  if (!way) return false;
  for (const { statements, figures } of way) {
    await query(statements('postgres'));
    if (!figures) continue;
    for (const table of ['hours', 'days'])
      for (const { begin, series, figures: stored } of await query(
        `SELECT begin, series, figures FROM results.${table}`,
      ))
        await query(`UPDATE results.${table} SET figures = $1 WHERE begin = $2 AND series = $3`, [
          Buffer.from(figures(stored as unknown as Uint8Array)),
          begin,
          series,
        ]);
  }
  return true;
}

/**
 * The tables of results; what may hold any text at all is JSON there, for a text of PostgreSQL holds no NUL. `writers`
 * and `folders` belong to monitors: who may write for a location, and how far each one's folder has been taken over.
 */
const resultsLayout: PostgresLayout = {
  name: 'results',
  number: layoutNumber,
  migrate,
  tables: `
CREATE SCHEMA results;
${createTables('postgres')}
CREATE UNIQUE INDEX events_once ON results.events (at, kind, md5(rest));

CREATE TABLE results.writers (
  location text PRIMARY KEY,
  folder text NOT NULL,
  session text NOT NULL,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL
);

CREATE TABLE results.folders (folder text PRIMARY KEY, taken int8 NOT NULL);
`,
};
