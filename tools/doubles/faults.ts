import { type Bar, dayMs, hourMs, minuteMs, withPrices } from './market.ts';
import type { Forms, RequestedRows } from './venue.ts';

/** A deliberate fault of a double. */
export type DoubleFault = {
  /** Name of the fault, as docs/gallery.md has it. */
  readonly name: string;
  /** The rule that must find it, if it is the same at every venue. */
  readonly rule?: string;
  /** Level of that rule; default: must. */
  readonly level?: 'should';
  /** Misreads the request. */
  readonly misread?: (wanted: RequestedRows) => RequestedRows;
  /** Returns the time up to which trades count in the row that starts here. */
  readonly until?: (start: number, wanted: RequestedRows, now: number) => number;
  /** Changes the rows, which are in order of time. */
  readonly spoil?: (rows: readonly Bar[], wanted: RequestedRows) => readonly Bar[];
  /** Changes the JSON types and the unit of numbers and times. */
  readonly reform?: (forms: Forms) => Forms;
  /** Milliseconds that the venue's rows are behind its clock. */
  readonly behindMs?: number;
};

/** Returns a fault of one row in 24, independent of the range. */
function spoilMarked(change: (row: Bar) => readonly Bar[]): NonNullable<DoubleFault['spoil']> {
  const isMarked = ({ start, end }: Bar) => Math.floor(start / (end - start)) % 24 === 5;
  return (rows) => rows.flatMap((row) => (isMarked(row) ? change(row) : [row]));
}

function spoilHours(change: (row: Bar) => Bar): NonNullable<DoubleFault['spoil']> {
  return (rows, { length }) => (length === hourMs ? rows.map(change) : rows);
}

/** The ten faults that every entry of the gallery is judged with. */
export const galleryFaults: readonly DoubleFault[] = [
  {
    name: 'open and close swapped',
    spoil: (rows) => rows.map((row) => ({ ...row, open: row.close, close: row.open })),
  },
  {
    name: 'high below close',
    rule: 'candle/high-is-highest',
    spoil: spoilMarked((row) => [{ ...row, high: Math.min(row.open, row.close) - 1 }]),
  },
  {
    name: 'shifted by an interval',
    spoil: (rows, { length }) =>
      rows.map((row) => ({ ...row, start: row.start + length, end: row.end + length })),
  },
  { name: 'a row missing', spoil: spoilMarked(() => []) },
  { name: 'a row twice', rule: 'history/one-candle-per-interval', spoil: spoilMarked((row) => [row, row]) },
  {
    name: 'negative volume',
    spoil: spoilMarked((row) => [{ ...row, volume: -row.volume - 1, quote: -row.quote - 1 }]),
  },
  {
    name: 'sums that do not add up',
    rule: 'rollup/volume-is-summed',
    spoil: spoilHours((row) => ({ ...row, volume: 2 * row.volume, quote: 2 * row.quote })),
  },
  { name: 'stale', behindMs: 3 * hourMs },
  {
    name: 'text for numbers',
    reform: (forms) => ({ ...forms, numbers: forms.numbers === 'text' ? 'json' : 'text' }),
  },
  {
    name: 'another unit of time',
    reform: (forms) => ({ ...forms, unit: forms.unit === 's' ? 'ms' : 's' }),
  },
];

/** Faults that some entries are judged with beside, each for a separate rule. */
export const furtherFaults = {
  swappedExtremes: {
    name: 'high and low swapped',
    rule: 'candle/low-is-lowest',
    spoil: (rows) => rows.map((row) => ({ ...row, high: row.low, low: row.high })),
  },
  lateRow: {
    name: 'a row half an interval late',
    rule: 'history/contiguous',
    spoil: spoilMarked((row) => [
      { ...row, start: (row.start + row.end) / 2, end: (3 * row.end - row.start) / 2 },
    ]),
  },
  millisecondLate: {
    name: 'a row a millisecond late',
    rule: 'history/contiguous',
    spoil: spoilMarked((row) => [{ ...row, start: row.start + 1, end: row.end + 1 }]),
  },
  allMillisecondsLate: {
    name: 'all rows a millisecond late',
    rule: 'candle/times-are-whole-minutes',
    level: 'should',
    spoil: (rows) => rows.map((row) => ({ ...row, start: row.start + 1, end: row.end + 1 })),
  },
  otherScale: {
    name: 'days in another scale',
    rule: 'rollup/open-is-the-first',
    spoil: (rows, { length }) =>
      length === dayMs ? rows.map((row) => withPrices(row, (price) => 100 * price)) : rows,
  },
  /** Counts trades in the first half of the elapsed time only. */
  openRowBehind: {
    name: 'an open row behind',
    rule: 'rollup/open-holds-its-parts',
    until: (start, { length }, now) =>
      length >= hourMs && start + length > now ? start + (now - start) / 2 : now,
  },
  /** The column of the buyers' share replaces the whole volume. */
  otherColumn: {
    name: 'hours of another column',
    rule: 'rollup/volume-is-summed',
    spoil: spoilHours((row) => ({ ...row, volume: row.takerVolume })),
  },
  lateClose: {
    name: 'ends a minute late',
    rule: 'candle/lasts-at-most-its-interval',
    spoil: (rows) => rows.map((row) => ({ ...row, end: row.end + minuteMs })),
  },
  otherZone: {
    name: 'a range that begins in another zone',
    rule: 'history/candles-meet-the-range',
    misread: ({ from, ...rest }) => ({ ...rest, ...(from !== undefined && { from: from - 8 * hourMs }) }),
  },
  endIgnored: {
    name: 'the end ignored',
    rule: 'history/candles-meet-the-range',
    misread: (wanted) => ({ ...wanted, to: Number.POSITIVE_INFINITY }),
  },
  lostBetweenPages: {
    name: 'a row lost between pages',
    rule: 'history/split-loses-nothing',
    spoil: (rows) => rows.filter((_, at) => rows.length - at !== 100),
  },
  fewerDigits: {
    name: 'the past in fewer digits',
    rule: 'history/closed-candles-stay',
    spoil: (rows) =>
      rows.map((row, at) =>
        rows.length - at > 100 ? withPrices(row, (price) => Math.floor(price / 1000) * 1000) : row,
      ),
  },
} satisfies Readonly<Record<string, DoubleFault>>;
