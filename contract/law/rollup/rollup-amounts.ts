import type { Amount } from '../../document/roles.ts';
import { amountText, type Candle, rawAmount } from '../../reading/candle.ts';
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
import { quoteValue } from '../../reading/describe.ts';
import { arithmetic } from '../../reading/tolerances.ts';
import type { FamilyCandles } from '../../relations/families.ts';
import type { FoundValues } from '../rule.ts';

/** The text of an amount; empty, which is no number, where there is none. */
function textOf(candle: Candle, amount: Amount): string {
  return amountText(candle, amount) ?? '';
}

/** An amount of a candle; undefined where it cannot be read. */
export function amountOf(candle: Candle, amount: Amount): Decimal | undefined {
  return parseDecimal(textOf(candle, amount));
}

/** The exact sum of one amount over several candles; undefined where one of them cannot be read. */
export function sumOf(candles: readonly Candle[], amount: Amount): Decimal | undefined {
  return added(candles, amount)?.total();
}

function added(candles: readonly Candle[], amount: Amount): DecimalSum | undefined {
  const sum = new DecimalSum();
  for (let at = 0; at < candles.length; at++) {
    if (!sum.add(textOf(candles[at] as Candle, amount))) return undefined;
  }
  return sum;
}

/** So many tenths of the last decimal for each addend and the total. */
function roundingOf(addends: number, tenths: bigint, scale: number): Decimal {
  return { units: tenths * BigInt(addends + 2), scale: scale + 1 };
}

/**
 * What the rounding of volumes may move their sum by: integers add exactly, fractions are rounded as seen, and JSON
 * numbers are doubles.
 */
export function roundingOfVolumes(parts: readonly Candle[], total: Decimal, whole: Decimal): Decimal {
  if (parts[0]?.reading.forms.volume !== 'text') return shareOf(total);
  if (total.scale === 0) return zero;
  return roundingOf(parts.length, 5n, Math.max(total.scale, whole.scale));
}

/** What adding doubles may move a sum by, which `arithmetic` bounds: a thousand-millionth. */
function shareOf({ units, scale }: Decimal): Decimal {
  return { units: units + 1n, scale: scale + 9 };
}

export function expectedVolume({ parent, children }: FamilyCandles): string | undefined {
  const sum = added(children, 'volume');
  const text = textOf(parent, 'volume');
  if (!sum || sum.equals(text)) return undefined;
  const whole = parseDecimal(text);
  if (!whole) return undefined;
  const total = sum.total();
  return compare(distance(whole, total), roundingOfVolumes(children, total, whole)) <= 0
    ? undefined
    : `${formatDecimal(total)}, the sum of its ${children.length} parts`;
}

/** A whole unit of the last decimal for each part: a server may cut instead of rounding. */
export function expectedVolumeUsd({ parent, children }: FamilyCandles): FoundValues | undefined {
  const sum = added(children, 'volume-usd');
  const text = textOf(parent, 'volume-usd');
  if (!sum || sum.equals(text)) return undefined;
  const whole = parseDecimal(text);
  if (!whole) return undefined;
  const total = sum.total();
  const slack = roundingOf(children.length, 10n, Math.max(total.scale, whole.scale));
  if (compare(distance(whole, total), slack) <= 0) return undefined;
  return {
    expected: `${formatDecimal(total)} ± ${formatDecimal(slack)}, the sum of its ${children.length} parts`,
    actual: `${text}${isRepriced(parent) ? ', which is volume × the last rate' : ''}`,
  };
}

/** The whole volume at the rate of the end, which the liquidity tells, instead of each trade at its own. */
function isRepriced(candle: Candle): boolean {
  const [volume, volumeWorth, liquidity, liquidityWorth] = (
    ['volume', 'volume-usd', 'liquidity', 'liquidity-usd'] as const
  ).map((each) => toNumber(amountOf(candle, each) ?? zero));
  if (!volume || !volumeWorth || !liquidity || !liquidityWorth) return false;
  const cents = 0.01 / liquidityWorth + 0.01 / volumeWorth;
  return Math.abs((volume * liquidityWorth) / liquidity / volumeWorth - 1) <= cents + arithmetic;
}

/** Point in time at the end: comparable where parent and last part end together. */
export function expectedLiquidity({ parent, children }: FamilyCandles): FoundValues | undefined {
  const last = children.at(-1);
  if (!last || last.end !== parent.end) return undefined;
  const field = apartIn(parent, last, 'liquidity') ?? apartIn(parent, last, 'liquidity-usd');
  return (
    field && {
      field,
      expected: `${amountText(last, field)}, as its last part`,
      actual: quoteValue(rawAmount(parent, field)),
    }
  );
}

/** The amount, where both tell it and not the same. */
function apartIn<Of extends Amount>(one: Candle, other: Candle, amount: Of): Of | undefined {
  if (rawAmount(one, amount) === rawAmount(other, amount)) return undefined;
  const [a, b] = [amountOf(one, amount), amountOf(other, amount)];
  return a && b && compare(a, b) !== 0 ? amount : undefined;
}
