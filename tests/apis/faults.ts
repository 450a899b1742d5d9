import { type Bar, dayMs, hourMs, withPrices } from './market.ts';

/** A request for rows of one interval and range, up to a limit. Times are Unix milliseconds. */
export type RequestedRows = {
  readonly length: number;
  /** Earliest and latest start. */
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
};

/** A deliberate fault of a double, at one of three places. */
export type DoubleFault = {
  /** Name of the fault. */
  readonly name: string;
  /** The rule that must find it. */
  readonly rule: string;
  /** Misreads the request. */
  readonly misread?: (wanted: RequestedRows) => RequestedRows;
  /** Returns the time up to which trades count in the row that starts here. */
  readonly until?: (start: number, wanted: RequestedRows, now: number) => number;
  /** Changes the rows, which are in order of time. */
  readonly spoil?: (rows: readonly Bar[], wanted: RequestedRows) => readonly Bar[];
};

/** Returns whether a row is marked: one in 24, independent of the range. */
function isMarked({ start, end }: Bar): boolean {
  return Math.floor(start / (end - start)) % 24 === 5;
}

/** Returns a fault of only the marked rows. */
export function spoilMarked(change: (row: Bar) => readonly Bar[]): NonNullable<DoubleFault['spoil']> {
  return (rows) => rows.flatMap((row) => (isMarked(row) ? change(row) : [row]));
}

/** Faults that are possible in any market data. */
export const commonFaults: readonly DoubleFault[] = [
  {
    name: 'high-below-close',
    rule: 'candle/high-is-highest',
    spoil: spoilMarked((row) => [{ ...row, high: Math.min(row.open, row.close) - 1 }]),
  },
  {
    name: 'swapped-extremes',
    rule: 'candle/low-is-lowest',
    spoil: (rows) => rows.map((row) => ({ ...row, high: row.low, low: row.high })),
  },
  {
    name: 'repeated-row',
    rule: 'history/one-candle-per-interval',
    spoil: spoilMarked((row) => [row, row]),
  },
  {
    name: 'row-half-an-interval-late',
    rule: 'history/contiguous',
    spoil: spoilMarked((row) => [
      { ...row, start: (row.start + row.end) / 2, end: (3 * row.end - row.start) / 2 },
    ]),
  },
  {
    name: 'days-in-another-scale',
    rule: 'rollup/open-is-the-first',
    spoil: (rows, { length }) =>
      length === dayMs ? rows.map((row) => withPrices(row, (price) => 100 * price)) : rows,
  },
  {
    // Counts trades in the first half of the elapsed time only.
    name: 'open-row-behind',
    rule: 'rollup/open-holds-its-parts',
    until: (start, { length }, now) =>
      length >= hourMs && start + length > now ? start + (now - start) / 2 : now,
  },
];
