import type { Amount, CandleRole, FieldForms, FieldNames } from '../document/roles.ts';
import type { PoolId } from '../document/spec.ts';
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
  /** Unix seconds; NaN where unreadable. Where the document gives only one of them, the interval's length gives the other. */
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
};

/** The fields and forms by which a document's records are read as candles. */
export type Reading = {
  readonly fields: FieldNames<CandleRole>;
  readonly forms: FieldForms;
  /** Seconds of the interval that was requested. */
  readonly length: number;
};

/** Sorts candles by start and drops those without a readable one. */
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

/** Tells whether low and high enclose open and close. Where they do not, only the candle's own rules may use it. */
export function hasSoundExtremes({ open, high, low, close }: Candle): boolean {
  return low <= Math.min(open, close) && Math.max(open, close) <= high;
}

/** Tells whether the average lies within the candle, so that a bad one is one breach rather than one in every rule. */
export function hasSoundAverage(candle: Pick<Candle, 'low' | 'avg' | 'high'>): boolean {
  return isAverageWithin(candle, arithmetic);
}

/** Tells whether low ≤ avg ≤ high, within a share of them. */
export function isAverageWithin(
  { low, avg, high }: Pick<Candle, 'low' | 'avg' | 'high'>,
  share: number,
): boolean {
  return avg >= low * (1 - share) && avg <= high * (1 + share);
}

/** Returns a field as received. */
export function rawField({ record, reading }: Candle, role: CandleRole): unknown {
  return record[reading.fields[role] ?? ''];
}

/** Returns the pool that a candle names, if it names one. */
export function namedPool({ pool }: Candle): PoolId | undefined {
  return typeof pool === 'number' || typeof pool === 'string' ? pool : undefined;
}

/** Returns an amount as received. Property access by a variable name would cost more than the rules do. */
export function rawAmount(candle: Candle, amount: Amount): unknown {
  switch (amount) {
    case 'volume':
      return candle.volume;
    case 'liquidity':
      return candle.liquidity;
    case 'volume-usd':
      return candle['volume-usd'];
    case 'liquidity-usd':
      return candle['liquidity-usd'];
  }
}

/** Returns the text of an amount; undefined where the answer gives none of the document's form. */
export function amountText(candle: Candle, amount: Amount): string | undefined {
  const value = rawAmount(candle, amount);
  if (candle.reading.forms[amount] === 'text') return typeof value === 'string' ? value : undefined;
  return typeof value === 'number' ? plainText(value) : undefined;
}

/** Writes all digits of a number, without an exponent. */
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

/** Tells whether a value is whole seconds of this century (§2.2: Unix time in seconds). */
export function isPlausibleTime(value: unknown): value is number {
  return (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value > plausibleSeconds.from &&
    value < plausibleSeconds.to
  );
}
