import {
  deliveryTable,
  eventTable,
  incidentTable,
  pinTable,
  quotaTable,
  seriesTable,
  stateTable,
} from './facts.ts';
import { changedTables, rollUpTables } from './roll-ups.ts';
import { sampleTable, slotTable } from './slots.ts';
import { createTable, type DatabaseKind, type StoredTable } from './table.ts';

/**
 * Times are Unix ms, phases microseconds. A slot's `started` and `finished` and a sample's `at` count from the planned
 * instant. What is numbered, such as `state`, is numbered as probe-record.ts lists it. What comes in by time is kept by
 * time: full pages, and what grows old goes in one piece.
 */
const tables: readonly StoredTable[] = [
  ...[seriesTable, slotTable, sampleTable, rollUpTables.hours, rollUpTables.days],
  ...[changedTables.hours, changedTables.days, eventTable, incidentTable, quotaTable],
  ...[pinTable, deliveryTable, stateTable],
];

/** Number of this layout: a database of an earlier one is migrated by its writer, one of a later one is refused. */
export const layoutNumber = 6;

/** Names of the columns that hold JSON if a database has no type for both numbers and texts. */
export const jsonColumns: ReadonlySet<string> = new Set(
  tables.flatMap(({ columns }) => columns.filter(({ type }) => type === 'any').map(({ name }) => name)),
);

/** Returns the statements that make all tables. */
export function createTables(database: DatabaseKind): string {
  return tables.map((table) => createTable(table, database)).join('\n');
}
