import { compare, type Decimal, distance } from './decimal.ts';
import { addition } from './tolerances.ts';

/** Significant digits that a decimal seldom has, and a sum of doubles mostly. */
const digitsOfSum = 16;

/** Digits with which some programs print every double, whether it needs them or not. */
const fixedDigits = 17;

/** Returns whether texts are doubles as programs print them, of which some have all digits, such as 0.30000000000000004. */
export function areDoubles(texts: readonly string[]): boolean {
  const isLong = (text: string): boolean =>
    text.includes('.') && text.replace(/^0*\.?0*|\./g, '').length >= digitsOfSum;
  return texts.some(isLong) && texts.every(isDouble);
}

function isDouble(text: string): boolean {
  const value = Number(text);
  const forms = [String(value), value.toPrecision(fixedDigits)].map(dropZeros);
  return forms.includes(dropZeros(text));
}

function dropZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Returns whether two amounts may be sums of the same doubles: adding as many of them in another order moves it so far. */
export function mayBeOneSum(one: Decimal, other: Decimal, addends: number): boolean {
  const share = BigInt(Math.ceil(2 * addends * addition * 10 ** shareDecimals));
  const most = compare(one, other) < 0 ? other : one;
  const moved = { units: most.units * share, scale: most.scale + shareDecimals };
  return compare(distance(one, other), moved) <= 0;
}

/** Decimals in which shares of a sum are counted. */
const shareDecimals = 20;
