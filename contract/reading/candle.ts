import type { Amount, CandleRole, FieldForms, FieldNames, TimeUnit } from '../document/roles.ts';
import { timeOf } from '../document/times.ts';
import type { PoolId } from './exchange.ts';
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
  /** How it was read: the same object for all candles of an answer. */
  readonly reading: Reading;
  /** Unix seconds; NaN where they are none. Of one that the document does not tell, by the interval's length. */
  readonly start: number;
  readonly end: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly avg: number;
  /** As they came; held here because finding a field of the record by its role takes longer than what rules do with it. */
  readonly pool: unknown;
  readonly volume: unknown;
  readonly liquidity: unknown;
  readonly 'volume-usd': unknown;
  readonly 'liquidity-usd': unknown;
};

/** How a document's records are read as candles. */
export type Reading = {
  readonly fields: FieldNames<CandleRole>;
  readonly forms: FieldForms;
  /** Seconds of the interval that was requested. */
  readonly length: number;
};

/** Rows of an answer as candles; a row that is no object is left out. */
export function readCandles(rows: readonly unknown[], reading: Reading): Candle[] {
  const readCandle = readerFor(reading);
  const candles: Candle[] = [];
  for (let row = 0; row < rows.length; row++) {
    const record = rows[row];
    if (typeof record === 'object' && record !== null)
      candles.push(readCandle(record as Candle['record'], row));
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
  for (let at = 0; at < candles.length; at++) {
    const { start } = candles[at] as Candle;
    if (!(start >= before)) return false;
    before = start;
  }
  return true;
}

/** Names and forms are looked up once for each answer: there may be hundreds of thousands of rows. */
function readerFor(reading: Reading): (record: Candle['record'], row: number) => Candle {
  const { fields, forms, length } = reading;
  const { start, end, open = '', high = '', low = '', close = '', average = '' } = fields;
  const { pool = '', volume = '', liquidity = '' } = fields;
  const { 'volume-usd': traded = '', 'liquidity-usd': held = '' } = fields;
  const price = (role: CandleRole) => (forms[role] === 'text' ? numberInText : numberIn);
  const [readOpen, readHigh, readLow, readClose, readAverage] = [
    price('open'),
    price('high'),
    price('low'),
    price('close'),
    price('average'),
  ];
  const readStart = secondsReader(forms.start);
  const readEnd = secondsReader(forms.end);
  return (record, row) => {
    const from = start === undefined ? undefined : readStart(record[start]);
    const to = end === undefined ? undefined : readEnd(record[end]);
    return {
      row,
      record,
      reading,
      start: from ?? (to ?? Number.NaN) - length,
      end: to ?? (from ?? Number.NaN) + length,
      open: readOpen(record[open]),
      high: readHigh(record[high]),
      low: readLow(record[low]),
      close: readClose(record[close]),
      avg: readAverage(record[average]),
      pool: record[pool],
      volume: record[volume],
      liquidity: record[liquidity],
      'volume-usd': record[traded],
      'liquidity-usd': record[held],
    };
  };
}

/** No price lies outside low and high: where one does, the rules of its own candle say so, and it says nothing of others. */
export function hasSoundExtremes({ open, high, low, close }: Candle): boolean {
  return low <= Math.min(open, close) && Math.max(open, close) <= high;
}

/** The average is one of its own candle's prices: where it is none, that is one breach, not one in every rule that uses it. */
export function hasSoundAverage(candle: Pick<Candle, 'low' | 'avg' | 'high'>): boolean {
  return isAverageWithin(candle, arithmetic);
}

/** low ≤ avg ≤ high, but for this share of them. */
export function isAverageWithin(
  { low, avg, high }: Pick<Candle, 'low' | 'avg' | 'high'>,
  share: number,
): boolean {
  return avg >= low * (1 - share) && avg <= high * (1 + share);
}

/** A field as it came. */
export function fieldOf({ record, reading }: Candle, role: CandleRole): unknown {
  return record[reading.fields[role] ?? ''];
}

/** The pool that a candle names, where it does. */
export function poolIn({ pool }: Candle): PoolId | undefined {
  return typeof pool === 'number' || typeof pool === 'string' ? pool : undefined;
}

/** The text of an amount, or undefined where the answer gives none of the document's form. */
export function amountText(candle: Candle, amount: Amount): string | undefined {
  const value = candle[amount];
  if (candle.reading.forms[amount] === 'text') return typeof value === 'string' ? value : undefined;
  return typeof value === 'number' ? plainText(value) : undefined;
}

/** All digits of a number and none of the exponent. */
function plainText(value: number): string {
  const text = String(value);
  const [, digits, exponent] = /^(.*)e([+-]\d+)$/.exec(text) ?? [];
  if (digits === undefined) return text;
  const [whole = '', fraction = ''] = digits.split('.');
  const point = whole.length + Number(exponent);
  const all = whole + fraction;
  if (point <= 0) return `0.${'0'.repeat(-point)}${all}`;
  return all.padEnd(point, '0');
}

function numberIn(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** Decimal text; NaN for any other. */
function numberInText(value: unknown): number {
  return typeof value === 'string' && /^\d{1,40}(\.\d{1,40})?$/.test(value) ? Number(value) : Number.NaN;
}

function secondsIn(value: unknown): number {
  return isPlausibleTime(value) ? value : Number.NaN;
}

/** An inclusive end may be a millisecond short of the second that it means. */
function wholeSeconds(seconds: number): number {
  const next = Math.round(seconds);
  return Math.abs(next - seconds) < 0.0015 ? next : seconds;
}

function secondsReader(form: FieldForms[CandleRole]): (value: unknown) => number {
  if (form === undefined || form === 'text') return secondsIn;
  return (value) => {
    const seconds = wholeSeconds(timeOf(value, form as TimeUnit));
    return seconds > plausibleSeconds.from && seconds < plausibleSeconds.to ? seconds : Number.NaN;
  };
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
