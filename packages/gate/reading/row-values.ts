import type { ColumnRole } from './columns.ts';
import type { TableRow } from './table.ts';

/** Roles as small integers, for speed in the loops over cells and members; 0 is none. */
export const codes: Readonly<Record<ColumnRole, number>> = {
  ...{ time: 1, open: 2, high: 3, low: 4, close: 5, average: 6, volume: 7, date: 8 },
  ...{ 'quote-volume': 9, trades: 10 },
};

/** Returns room for the numbers of a row, by the codes of their roles; NaN for those that it lacks. */
export function makeValues(): Float64Array {
  return new Float64Array(Math.max(...Object.values(codes)) + 1).fill(Number.NaN);
}

/** Fills a row with numbers by the codes of their roles. */
export function fillRow(row: TableRow, values: Float64Array): void {
  row.start = values[1] as number;
  row.open = values[2] as number;
  row.high = values[3] as number;
  row.low = values[4] as number;
  row.close = values[5] as number;
  row.avg = values[6] as number;
  row.volume = values[7] as number;
  row.quote = notNegative(values[9] as number);
  row.trades = notNegative(values[10] as number);
  row.unread = undefined;
}

function notNegative(value: number): number {
  return value >= 0 ? value : Number.NaN;
}
