import type { TableRow } from '../reading/table.ts';

/** Rows of a block. A row is judged once the block after its own is complete, or the table ends. */
export const blockSize = 64;

/** Most rows in a window. */
export const capacity = 16 * blockSize;

/** Rows from which the first are judged, and rows that are kept before those that are not judged. */
const [fewest, kept] = [3 * blockSize, 2 * blockSize];

const column = (): Float64Array => new Float64Array(capacity);

/** The sound rows around those that are judged, as columns: at least a block before and a block after them. */
export class RowWindow {
  readonly columns = {
    ...{ start: column(), line: column(), open: column(), high: column(), low: column(), close: column() },
    ...{ volume: column(), trades: column() },
  };
  /** Number of rows in the window. */
  count = 0;
  /** Number of rows that were taken, and the first of them. */
  rows = 0;
  first = { start: Number.NaN, line: 0 };
  /** True, at the end of the table, if prices below zero belong to its market: their ratios mean nothing. */
  crossesZero = false;
  /** Interval in seconds. */
  readonly length: number;
  /** 1 if the oldest row is first, -1 if the newest is. */
  readonly direction: 1 | -1;

  constructor({ length, direction }: { readonly length: number; readonly direction: 1 | -1 }) {
    this.length = length;
    this.direction = direction;
  }

  /** Takes a row. Returns true if it completes a block after rows that are not judged. */
  take(row: TableRow): boolean {
    const { start, line, open, high, low, close, volume, trades } = this.columns;
    const at = this.count++;
    if (this.rows++ === 0) this.first = { start: row.start, line: row.line };
    start[at] = row.start;
    line[at] = row.line;
    open[at] = row.open;
    high[at] = row.high;
    low[at] = row.low;
    close[at] = row.close;
    // A turnover shows as well whether rows are copies, and whether they were traded.
    volume[at] = Number.isNaN(row.volume) ? row.quote : row.volume;
    trades[at] = row.trades;
    return this.count % blockSize === 0 && this.count >= fewest;
  }

  /** Forgets the oldest rows if the window is full. Returns by how many positions the others move. */
  shift(): number {
    if (this.count < capacity) return 0;
    const forgotten = this.count - kept;
    for (const values of Object.values(this.columns)) values.copyWithin(0, forgotten);
    this.count = kept;
    return forgotten;
  }
}
