import type { PostgresRow, PostgresValue } from '../../postgres/postgres-database.ts';
import type { Span } from '../results-store.ts';
import type { StoredRow } from '../rows/sample-queue.ts';

type Cell = number | string | null;

/** A row's values in the order of its columns, as SQLite has them. */
export function cellsOf(row: PostgresRow): StoredRow {
  return Object.values(row).map(cellOf) as unknown as StoredRow;
}

/** The same row with plain numbers. */
export function plain(row: PostgresRow): Record<string, Cell> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)]));
}

/** Rows as one array for each of their columns, as `unnest` takes them. */
export function columnsOf(rows: readonly (readonly unknown[])[], count: number): unknown[][] {
  return Array.from({ length: count }, (_, column) => rows.map((row) => row[column]));
}

/** int8 holds times and counts here, which numbers hold as exactly. */
function cellOf(value: PostgresValue): Cell {
  return typeof value === 'bigint' ? Number(value) : (value as Cell);
}

/** A span in whole ms that holds the same instants, for columns of whole numbers. */
export function wholeSpan({ from, to }: Span): Span {
  return { from: whole(from), to: whole(to) };
}

function whole(at: number): number {
  return Math.ceil(Math.min(Math.max(at, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER));
}
