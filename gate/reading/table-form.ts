import type { ColumnChoice, Places } from './columns.ts';
import type { TableUnit } from './times.ts';

/** What the caller said of a table; what is left out is guessed from its first lines. */
export type TableChoice = {
  readonly columns?: ColumnChoice;
  readonly unit?: TableUnit;
};

/** How a table is written, known once its first row was seen. */
export type TableForm =
  | {
      readonly kind: 'csv';
      readonly separator: string;
      readonly places: Places<number>;
      /** What the columns are called, where the table says so. */
      readonly names: readonly string[];
      readonly unit: TableUnit;
      /** The day and the time of day stand in two columns. */
      readonly hasDateApart: boolean;
      /** The line of the first row, from 1. */
      readonly firstRow: number;
    }
  | {
      readonly kind: 'ndjson';
      readonly places: Places<string | number>;
      readonly unit: TableUnit;
      readonly firstRow: number;
    };

/** A line of a table is never longer, in bytes, nor has it more columns. */
export const longestLine = 65_536;
export const mostColumns = 1_000;
