import type { Amount, CandleRole, FieldForms, FieldNames } from '../document/roles.ts';
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
  /** As they came. */
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

/** An amount as it came. Spelt out: by a name that varies it takes longer to be found than rules do with it. */
export function amountIn(candle: Candle, amount: Amount): unknown {
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

/** The text of an amount, or undefined where the answer gives none of the document's form. */
export function amountText(candle: Candle, amount: Amount): string | undefined {
  const value = amountIn(candle, amount);
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

/** Whole seconds of this century (§2.2: Unix time in seconds). */
export function isPlausibleTime(value: unknown): value is number {
  return (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value > plausibleSeconds.from &&
    value < plausibleSeconds.to
  );
}
