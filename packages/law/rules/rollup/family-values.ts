import { minute } from '@candleproof/document/spec/interval';
import type { Amount } from '@candleproof/document/spec/roles';
import type { Spec } from '@candleproof/document/spec/spec';
import { amountText, type PriceRow, rawAmount } from '../../reading/candle.ts';
import {
  compare,
  type Decimal,
  DecimalSum,
  distance,
  formatDecimal,
  parseDecimal,
  toNumber,
  zero,
} from '../../reading/decimal.ts';
import { areDoubles, mayBeOneSum } from '../../reading/double-sums.ts';
import { maxBy, minBy } from '../../reading/statistics.ts';
import { arithmetic } from '../../reading/tolerances.ts';
import { quoteValue } from '../../reading/words.ts';
import type { FamilyRows } from '../../relations/families.ts';
import type { FoundValues } from '../breach.ts';

/** Returns the text of an amount; empty, which is not a number, if there is none. */
function readText(candle: PriceRow, amount: Amount): string {
  return amountText(candle, amount) ?? '';
}

/** Returns an amount of a candle; undefined if it is unreadable. */
export function readAmount(candle: PriceRow, amount: Amount): Decimal | undefined {
  return parseDecimal(readText(candle, amount));
}

/** Returns the exact sum of the volumes of several candles; undefined if one is unreadable. */
export function sumVolumes(candles: readonly PriceRow[]): Decimal | undefined {
  return added(candles, 'volume')?.total();
}

function added(candles: readonly PriceRow[], amount: Amount): DecimalSum | undefined {
  const sum = new DecimalSum();
  for (let at = 0; at < candles.length; at++) {
    if (!sum.add(readText(candles[at] as PriceRow, amount))) return undefined;
  }
  return sum;
}

/** Returns this many tenths of the last decimal for every addend and the total. */
function decimalRounding(addends: number, tenths: bigint, scale: number): Decimal {
  return { units: tenths * BigInt(addends + 2), scale: scale + 1 };
}

/**
 * Returns the amount by which rounding may move the sum of volumes: integers add exactly, fractions are rounded as observed,
 * and JSON numbers are doubles.
 */
export function roundingOfVolumes(
  parts: readonly PriceRow[],
  total: Decimal,
  whole: Decimal,
  amount: Amount = 'volume',
): Decimal {
  if (parts[0]?.reading.forms[amount] !== 'text') return doubleRounding(total);
  if (areDoubles([formatDecimal(whole), ...parts.map((part) => readText(part, amount))]))
    return doubleRounding(total);
  return roundingOfDecimals(parts, total, whole);
}

function roundingOfDecimals(parts: readonly PriceRow[], total: Decimal, whole: Decimal): Decimal {
  if (total.scale === 0) return zero;
  return decimalRounding(parts.length, 5n, Math.max(total.scale, whole.scale));
}

/** Returns the amount by which adding doubles may move a sum, a share bounded by `arithmetic`. */
function doubleRounding({ units, scale }: Decimal): Decimal {
  return { units: units + 1n, scale: scale + 9 };
}

/** Returns the volume that the parts add up to; undefined if the candle agrees. */
export function expectedVolume(family: FamilyRows, spec?: Pick<Spec, 'isOurs'>): string | undefined {
  return expectedSum(family, 'volume', spec);
}

/** Returns the amount that the parts add up to; undefined if the candle agrees. Our document's tinybars add exactly. */
export function expectedSum(
  { parent, children }: FamilyRows,
  amount: Amount,
  { isOurs = false }: Partial<Pick<Spec, 'isOurs'>> = {},
): string | undefined {
  const sum = added(children, amount);
  const text = readText(parent, amount);
  if (!sum || sum.equals(text)) return undefined;
  const whole = parseDecimal(text);
  if (!whole) return undefined;
  const total = sum.total();
  const isExact = isOurs && children[0]?.reading.forms[amount] === 'text';
  const slack = isExact
    ? roundingOfDecimals(children, total, whole)
    : roundingOfVolumes(children, total, whole, amount);
  return compare(distance(whole, total), slack) <= 0
    ? undefined
    : `${formatDecimal(total)}, the sum of its ${children.length} parts`;
}

/**
 * Allows a whole unit of the last decimal per part, since a server may truncate instead of rounding, and what adding doubles
 * moves where it prints them.
 */
export function expectedVolumeUsd({ parent, children }: FamilyRows): FoundValues | undefined {
  const sum = added(children, 'volume-usd');
  const text = readText(parent, 'volume-usd');
  if (!sum || sum.equals(text)) return undefined;
  const whole = parseDecimal(text);
  if (!whole) return undefined;
  const total = sum.total();
  const slack = decimalRounding(children.length, 10n, Math.max(total.scale, whole.scale));
  if (compare(distance(whole, total), slack) <= 0) return undefined;
  const addends = Math.max(children.length, (parent.end - parent.start) / minute);
  if (areInDoubles(parent, children) && mayBeOneSum(whole, total, addends)) return undefined;
  return {
    expected: `${formatDecimal(total)} ± ${formatDecimal(slack)}, the sum of its ${children.length} parts`,
    actual: `${text}${isRepriced(parent) ? ', which is volume × the last rate' : ''}`,
  };
}

function areInDoubles(parent: PriceRow, children: readonly PriceRow[]): boolean {
  if (parent.reading.forms['volume-usd'] !== 'text') return true;
  return areDoubles([parent, ...children].map((row) => readText(row, 'volume-usd')));
}

/** Returns whether the whole volume is valued at the final rate, which the liquidity shows, not trade by trade. */
function isRepriced(candle: PriceRow): boolean {
  const [volume, volumeWorth, liquidity, liquidityWorth] = (
    ['volume', 'volume-usd', 'liquidity', 'liquidity-usd'] as const
  ).map((name) => toNumber(readAmount(candle, name) ?? zero));
  if (!volume || !volumeWorth || !liquidity || !liquidityWorth) return false;
  const cents = 0.01 / liquidityWorth + 0.01 / volumeWorth;
  return Math.abs((volume * liquidityWorth) / liquidity / volumeWorth - 1) <= cents + arithmetic;
}

/** Returns the liquidity at the end stamp, which is comparable if parent and last part end together. */
export function expectedLiquidity({ parent, children }: FamilyRows): FoundValues | undefined {
  const last = children.at(-1);
  if (!last || last.end !== parent.end) return undefined;
  const field = findDifference(parent, last, 'liquidity') ?? findDifference(parent, last, 'liquidity-usd');
  return (
    field && {
      field,
      expected: `${amountText(last, field)}, as its last part`,
      actual: quoteValue(rawAmount(parent, field)),
    }
  );
}

/** Returns the amount if both candles report it with different values. */
function findDifference<Of extends Amount>(one: PriceRow, other: PriceRow, amount: Of): Of | undefined {
  if (rawAmount(one, amount) === rawAmount(other, amount)) return undefined;
  const [a, b] = [readAmount(one, amount), readAmount(other, amount)];
  return a && b && compare(a, b) !== 0 ? amount : undefined;
}

/** The relative difference of one stored number reported twice: a double may differ in its last place. */
function isSamePrice(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-12 * Math.abs(b) || !Number.isFinite(a + b);
}

/** Returns the expected price; undefined if the price agrees or no part has one. */
function samePrice(words: string, parent: number, child = Number.NaN): string | undefined {
  return isSamePrice(parent, child) ? undefined : `${child}, ${words}`;
}

/** Returns the open of the first part. */
export function expectedOpen({ parent, children: [first], traded }: FamilyRows): string | undefined {
  return first === traded[0] ? samePrice('where its first part opens', parent.open, first?.open) : undefined;
}

/** Returns the close of the last part. */
export function expectedClose({ parent, children }: FamilyRows): string | undefined {
  return samePrice('where its last part closes', parent.close, children.at(-1)?.close);
}

/** Returns the highest high of the parts. */
export function expectedHighest(family: FamilyRows): string | undefined {
  return extreme(family, 'high', (parts) => maxBy(parts, ({ high }) => high), 'the highest of its parts');
}

/** Returns the lowest low of the parts. */
export function expectedLowest(family: FamilyRows): string | undefined {
  return extreme(family, 'low', (parts) => minBy(parts, ({ low }) => low), 'the lowest of its parts');
}

/** Returns the extreme of all parts; undefined if the parent matches it, or the extreme of the parts with trades. */
function extreme(
  { parent, children, traded, hasSoundExtremes }: FamilyRows,
  name: 'high' | 'low',
  most: (parts: readonly PriceRow[]) => number,
  words: string,
): string | undefined {
  if (!hasSoundExtremes) return undefined;
  if (isSamePrice(parent[name], most(traded))) return undefined;
  return samePrice(words, parent[name], most(children));
}

/** Returns the least and the greatest average of the parts. */
export function expectedMeanBounds(family: FamilyRows): string | undefined {
  if (!family.hasSoundAverages || family.sharesBoundaries) return undefined;
  const { parent, children } = family;
  const most = maxBy(children, (child) => child.avg);
  const least = minBy(children, (child) => child.avg);
  const isWithin = parent.avg >= least * (1 - arithmetic) && parent.avg <= most * (1 + arithmetic);
  return isWithin ? undefined : `within [${least}, ${most}], the averages of its parts`;
}
