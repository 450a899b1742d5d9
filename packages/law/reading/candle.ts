import { day } from '@candleproof/document/spec/interval';
import type { Amount, CandleRole, FieldForms, FieldNames, TimeUnit } from '@candleproof/document/spec/roles';
import type { PoolId } from '@candleproof/document/spec/spec';
import type { Zone } from '@candleproof/document/spec/times';
import { readLocal } from '@candleproof/document/spec/times';
import type { Calendar } from './calendar.ts';
import { arithmetic, plausibleSeconds } from './tolerances.ts';

/**
 * A candlestick as rules see it (§2.2). A number that the answer does not give as one is NaN: every comparison
 * with it is false, so that a rule accuses nothing that it cannot read; the schema's rules report the form.
 */
export type Candle = {
  /** Position in the answer; 0 in an answer that is one candle. */
  readonly row: number;
  /** The record as received. */
  readonly record: Readonly<Record<string, unknown>>;
  /** The way it was read; one object shared by all candles of an answer. */
  readonly reading: Reading;
  /** Unix seconds; NaN if unreadable. If the document gives only one of them, the interval's length gives the other. */
  readonly start: number;
  readonly end: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly avg: number;
  /** As received. */
  readonly pool: unknown;
  readonly volume: unknown;
  readonly liquidity: unknown;
  readonly 'volume-usd': unknown;
  readonly 'liquidity-usd': unknown;
  /** The row says that its interval is settled, or that it still changes; undefined if it says neither. */
  readonly closed?: boolean | undefined;
};

/** A candle's times, prices and amounts, whatever their source: a row of an answer or of a file. */
export type PriceRow = Pick<Candle, 'start' | 'end' | 'open' | 'high' | 'low' | 'close' | 'avg'> &
  Partial<Pick<Candle, Amounts | 'record'>> & { readonly reading: Pick<Reading, 'fields' | 'forms'> };

type Amounts = 'volume' | 'liquidity' | 'volume-usd' | 'liquidity-usd';

/** The fields and forms by which a document's records are read as candles. */
export type Reading = {
  readonly fields: FieldNames<CandleRole>;
  readonly forms: FieldForms;
  /** The zone of times without an offset; UTC by default. */
  readonly zone?: Zone;
  /** The axis on which the times of days in that zone lie. */
  readonly calendar?: Calendar;
  /** Unix seconds; no time before it is plausible. */
  readonly earliest: number;
  /** Seconds of the interval that was requested. */
  readonly length: number;
};

/** Sorts candles by start and drops those without a readable one. */
export function sortByTime(candles: readonly Candle[]): readonly Candle[] {
  if (isAscending(candles)) return candles;
  return candles.filter((candle) => !Number.isNaN(candle.start)).sort((a, b) => a.start - b.start);
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

/** Returns whether low and high enclose open and close. If they do not, only the candle's rules may use it. */
export function hasSoundExtremes({ open, high, low, close }: PriceRow): boolean {
  return low <= Math.min(open, close) && Math.max(open, close) <= high;
}

/** Returns whether the average lies within the candle, so that a bad one breaks one rule rather than every one. */
export function hasSoundAverage(candle: Pick<Candle, 'low' | 'avg' | 'high'>): boolean {
  return isAverageWithin(candle, arithmetic);
}

/** Returns whether low ≤ avg ≤ high, within a share of them. */
export function isAverageWithin(
  { low, avg, high }: Pick<Candle, 'low' | 'avg' | 'high'>,
  share: number,
): boolean {
  return avg >= low * (1 - share) && avg <= high * (1 + share);
}

/** Returns a field as received. */
export function rawField({ record, reading }: PriceRow, role: CandleRole): unknown {
  return record?.[reading.fields[role] ?? ''];
}

/** Returns the pool that a candle names, if it names one. */
export function reportedPool({ pool }: Candle): PoolId | undefined {
  return typeof pool === 'number' || typeof pool === 'string' ? pool : undefined;
}

/** Returns an amount as received. Property access by a variable name would cost more than the rules do. */
export function rawAmount(candle: PriceRow, amount: Amount): unknown {
  switch (amount) {
    case 'volume':
      return candle.volume;
    case 'liquidity':
      return candle.liquidity;
    case 'volume-usd':
      return candle['volume-usd'];
    case 'liquidity-usd':
      return candle['liquidity-usd'];
    default:
      return rawField(candle, amount);
  }
}

/** Returns the text of an amount; undefined if the answer gives none, or a number too long to be exact for a text. */
export function amountText(candle: PriceRow, amount: Amount): string | undefined {
  const value = rawAmount(candle, amount);
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return undefined;
  const text = formatPlainNumber(value);
  return candle.reading.forms[amount] === 'text' && text.length > mostExact ? undefined : text;
}

/** Digits, with a point, up to which a number surely is the decimal that was meant. */
const mostExact = 15;

/** Writes all digits of a number, without an exponent. */
function formatPlainNumber(value: number): string {
  const text = String(value);
  const [, digits, exponent] = /^(.*)e([+-]\d+)$/.exec(text) ?? [];
  if (digits === undefined) return text;
  const [whole = '', fraction = ''] = digits.split('.');
  const point = whole.length + Number(exponent);
  const all = whole + fraction;
  if (point <= 0) return `0.${'0'.repeat(-point)}${all}`;
  return all.padEnd(point, '0');
}

/** Returns the bounds of a plausible time in Unix seconds: those of fine counts exclude numbers of the next coarser unit. */
export function plausibleBounds(
  unit: TimeUnit,
  earliest: number,
): { readonly from: number; readonly to: number } {
  const { to } = plausibleSeconds;
  return { from: /^(ms|us|ns)$/.test(unit) ? Math.max(earliest, to / 1000) : earliest, to };
}

/** A candle by its place in time. */
type Placed = { readonly start: number; readonly reading: { readonly calendar?: Calendar } };

/** Returns the start and end in Unix seconds of a candle that is `length` seconds long. */
export function realSpan({ start, reading }: Placed, length: number): { start: number; end: number } {
  const { calendar } = reading;
  if (!calendar) return { start, end: start + length };
  const { zone, offset } = calendar;
  return { start: readLocal(start + offset, zone), end: readLocal(start + length + offset, zone) };
}

/** Returns the same on the axis of an interval of `shorter` seconds. */
export function spanAmong(candle: Placed, length: number, shorter: number): { start: number; end: number } {
  return shorter < day ? realSpan(candle, length) : { start: candle.start, end: candle.start + length };
}
