import type { TableRow } from '../reading/table.ts';

/** Rows of a block: a row is judged with those of the block before its own and after it, or to the end of the table. */
export const blockSize = 64;

/** Most rows in a window. */
export const capacity = 16 * blockSize;

/** Rows that are kept: those of a block that is not judged, and of one before it. */
const kept = 2 * blockSize;

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
  /** Returns, at the end of the table, whether its market rests on the day of a start. */
  isRestDay: (start: number) => boolean = () => false;
  /** Interval in seconds. */
  readonly length: number;
  /** 1 if the oldest row is first, -1 if the newest is. */
  readonly direction: 1 | -1;

  constructor({ length, direction }: { readonly length: number; readonly direction: 1 | -1 }) {
    this.length = length;
    this.direction = direction;
  }

  /** Takes a row. Returns true if the window is full: all rows but those of the last block can be judged. */
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
    return this.count === capacity;
  }

  /** Forgets the rows of a full window but the newest. Returns by how many positions those move. */
  shift(): number {
    const forgotten = this.count - kept;
    for (const values of Object.values(this.columns)) values.copyWithin(0, forgotten);
    this.count = kept;
    return forgotten;
  }
}
