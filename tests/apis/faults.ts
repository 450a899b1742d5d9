import { type Bar, dayMs, hourMs, withPrices } from './market.ts';

/** Rows that are wanted: of one length, of one range, at most so many. All times are Unix milliseconds. */
export type RequestedRows = {
  readonly length: number;
  /** The earliest and the latest start. */
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
};

/** One deliberate mistake of a double, at one of three places. */
export type DoubleFault = {
  /** What goes wrong, as a name. */
  readonly name: string;
  /** The rule that has to see it. */
  readonly rule: string;
  /** How the request is misread. */
  readonly misread?: (wanted: RequestedRows) => RequestedRows;
  /** Until when trades are counted in the row that starts here. */
  readonly until?: (start: number, wanted: RequestedRows, now: number) => number;
  /** What becomes of the rows, in the order of time, on their way out. */
  readonly spoil?: (rows: readonly Bar[], wanted: RequestedRows) => readonly Bar[];
};

/** One row in 24, such as that of five o'clock, wherever a range begins. */
function isMarked({ start, end }: Bar): boolean {
  return Math.floor(start / (end - start)) % 24 === 5;
}

/** A fault of the marked rows alone. */
export function spoilMarked(change: (row: Bar) => readonly Bar[]): NonNullable<DoubleFault['spoil']> {
  return (rows) => rows.flatMap((row) => (isMarked(row) ? change(row) : [row]));
}

/** Faults that any market data can have. */
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
    // Counts what came in the first half of the time that has passed.
    name: 'open-row-behind',
    rule: 'rollup/open-holds-its-parts',
    until: (start, { length }, now) =>
      length >= hourMs && start + length > now ? start + (now - start) / 2 : now,
  },
];
