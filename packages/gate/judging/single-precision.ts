import type { Prices } from '@candleproof/law/rules/candle/prices';

/** Digits from which a number may be a decimal as single precision keeps it; prices are quoted in fewer. */
const fewestDigits = 9;

/**
 * Returns a row whose high and low are even with a price that is the same number, of which one was kept in single precision:
 * a close of 22532.05 below a low of 22532.05078125 is that low. 17723.3 and 17723.4004 are two numbers.
 */
export function evenSingles<Row extends Prices>(row: Row): Row {
  const { open, high, low, close } = row;
  const alike = (edge: number): number[] => [open, close].filter((price) => isSameSingle(price, edge));
  return { ...row, high: Math.max(high, ...alike(high)), low: Math.min(low, ...alike(low)) };
}

/** Returns whether two numbers are one in single precision, and either is written as that. */
function isSameSingle(one: number, other: number): boolean {
  return Math.fround(one) === Math.fround(other) && (isOfSingle(one) || isOfSingle(other));
}

/** Returns whether a number is a single, or one rounded to some decimals: 22532.05078125, or 129.110001 of 129.11. */
function isOfSingle(value: number): boolean {
  const text = String(value);
  if (text.includes('e') || text.replace('.', '').replace(/^0+/, '').length < fewestDigits) return false;
  const decimals = text.split('.')[1]?.length ?? 0;
  return Math.fround(value).toFixed(decimals) === text;
}
