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
import { addColumns, createTable, type DatabaseKind, type StoredTable } from './table.ts';

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

const firstNumber = 3;

/**
 * Number of the layout below: the newest that a column or a step came with. A database of an earlier one is brought up
 * by its writer; of a later one it is refused.
 */
export const layoutNumber = Math.max(
  firstNumber,
  ...tables.flatMap(({ columns }) => columns.map(({ since = 1 }) => since)),
);

/** Names of the columns that hold JSON if a database has no type for both numbers and texts. */
export const jsonColumns: ReadonlySet<string> = new Set(
  tables.flatMap(({ columns }) => columns.filter(({ type }) => type === 'any').map(({ name }) => name)),
);

/** Returns the statements that make all tables, of an earlier layout without the columns that came later. */
export function createTables(database: DatabaseKind, layout = layoutNumber): string {
  return tables.map((table) => createTable(table, database, layout)).join('\n');
}

/** Returns the statements that make a layout of the one before it. */
export function upgradeTo(layout: number, database: DatabaseKind): string {
  const columns = tables.map((table) => addColumns(table, database, layout)).join('');
  return columns + (steps[layout]?.(database) ?? '');
}

/** Further statements besides new columns: what a roll-up lacks is rolled again from its slots, if they are kept. */
const steps: Readonly<Record<number, (database: DatabaseKind) => string>> = {
  2: () => `
INSERT INTO results.changed_hours SELECT begin, series FROM results.hours WHERE EXISTS
  (SELECT 1 FROM results.slots WHERE planned >= begin AND planned < begin + 3600000 AND slots.series = hours.series)
  ON CONFLICT DO NOTHING;
INSERT INTO results.changed_days SELECT DISTINCT begin - begin % 86400000, series FROM results.changed_hours WHERE true
  ON CONFLICT DO NOTHING;
`,
  3: (database) => `
${recreateTable(sampleTable, database, 3)}
DROP INDEX pins_by_last_seen;
${recreateTable(pinTable, database, 3)}
UPDATE results.states SET value = replace(value, '"told":', '"reported":') WHERE name IN ('alerts', 'notices');
`,
};

/** Recreates a table for a layout that changes the types of its columns. */
function recreateTable(table: StoredTable, database: DatabaseKind, layout: number): string {
  const { name } = table;
  return `ALTER TABLE results.${name} RENAME TO old_${name};
${createTable(table, database, layout)}
INSERT INTO results.${name} SELECT * FROM results.old_${name};
DROP TABLE results.old_${name};`;
}
