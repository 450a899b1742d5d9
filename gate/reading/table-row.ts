/**
 * One row of a table, read once. It is filled anew for the next row: who keeps one keeps a copy. What cannot be read
 * as a number is NaN, and no comparison with NaN accuses it.
 */
export type TableRow = {
  /** Of the file, from 1. */
  line: number;
  /** Unix seconds. */
  start: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** NaN where the table has none. */
  avg: number;
  volume: number;
  /** As it is written; empty unless a roll-up needs it. */
  volumeText: string;
  /** None of its own prices contradicts another. */
  isSound: boolean;
};

export function emptyRow(): TableRow {
  const none = Number.NaN;
  return {
    ...{ line: 0, start: none, open: none, high: none, low: none, close: none },
    ...{ avg: none, volume: none, volumeText: '', isSound: true },
  };
}

/** All four prices are left out: the row says that nothing was traded, and is no candle. */
export function isBlank({ open, high, low, close }: TableRow): boolean {
  return Number.isNaN(open) && Number.isNaN(high) && Number.isNaN(low) && Number.isNaN(close);
}
