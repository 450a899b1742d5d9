import type { Amount, CandleFields, CandleRole } from './document/roles.ts';
import { arithmetic, plausibleSeconds } from './tolerances.ts';

/**
 * A candlestick as rules see it (§2.2). A number that the answer does not give as one is NaN: every comparison
 * with it is false, so that a rule accuses nothing that it cannot read; the schema's rules report the form.
 */
export type Candle = {
  /** Position in the answer; 0 in an answer that is one candle. */
  readonly row: number;
  /** The record as it came. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Names of the record's fields. */
  readonly fields: CandleFields;
  readonly pool: number;
  /** Unix seconds; NaN where they are none. */
  readonly start: number;
  readonly end: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly avg: number;
};

/** Rows of an answer as candles; a row that is no object is left out. */
export function readCandles(rows: readonly unknown[], fields: CandleFields): Candle[] {
  const candles: Candle[] = [];
  for (let row = 0; row < rows.length; row++) {
    const record = rows[row];
    if (typeof record === 'object' && record !== null)
      candles.push(readCandle(record as Candle['record'], fields, row));
  }
  return candles;
}

/** Candles in the order of time, those without a readable start left out. */
export function sortByTime(candles: readonly Candle[]): readonly Candle[] {
  if (isAscending(candles)) return candles;
  return candles.filter((each) => !Number.isNaN(each.start)).sort((a, b) => a.start - b.start);
}

function isAscending(candles: readonly Candle[]): boolean {
  let before = 0;
  for (const { start } of candles) {
    if (!(start >= before)) return false;
    before = start;
  }
  return true;
}

function readCandle(record: Candle['record'], fields: CandleFields, row: number): Candle {
  return {
    row,
    record,
    fields,
    pool: numberIn(record[fields.pool]),
    start: secondsIn(record[fields.start]),
    end: secondsIn(record[fields.end]),
    open: numberIn(record[fields.open]),
    high: numberIn(record[fields.high]),
    low: numberIn(record[fields.low]),
    close: numberIn(record[fields.close]),
    avg: numberIn(record[fields.average]),
  };
}

/** No price lies outside low and high: where one does, the rules of its own candle say so, and it says nothing of others. */
export function hasSoundExtremes({ open, high, low, close }: Candle): boolean {
  return low <= Math.min(open, close) && Math.max(open, close) <= high;
}

/** The average is one of its own candle's prices: where it is none, that is one breach, not one in every rule that uses it. */
export function hasSoundAverage(candle: Candle): boolean {
  return isAverageWithin(candle, arithmetic);
}

/** low ≤ avg ≤ high, but for this share of them. */
export function isAverageWithin({ low, avg, high }: Candle, share: number): boolean {
  return avg >= low * (1 - share) && avg <= high * (1 + share);
}

/** A field as it came. */
export function fieldOf({ record, fields }: Candle, role: CandleRole): unknown {
  return record[fields[role]];
}

/** The text of an amount, or undefined where the answer gives none. */
export function amountText(candle: Candle, amount: Amount): string | undefined {
  const text = fieldOf(candle, amount);
  return typeof text === 'string' ? text : undefined;
}

function numberIn(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

function secondsIn(value: unknown): number {
  return isPlausibleTime(value) ? value : Number.NaN;
}

/** Whole seconds of this century (§2.2: Unix time in seconds). */
export function isPlausibleTime(value: unknown): value is number {
  return (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value > plausibleSeconds.from &&
    value < plausibleSeconds.to
  );
}
