import type { Candle } from '../../reading/candle.ts';
import { toNumber, zero } from '../../reading/decimal.ts';
import type { Family } from '../../relations/families.ts';
import { readAmount } from './rollup-amounts.ts';

/** Formulas that others use for a candle's average, as a reader would write them. */
const formulas: Readonly<Record<string, (family: Family) => number>> = {
  '(high + low) / 2': ({ parent }) => meanValue([parent.high, parent.low]),
  '(high + low + close) / 3': ({ parent }) => meanValue([parent.high, parent.low, parent.close]),
  '(open + close) / 2': ({ parent }) => meanValue([parent.open, parent.close]),
  '(open + high + low + close) / 4': ({ parent: { open, high, low, close } }) =>
    meanValue([open, high, low, close]),
  close: ({ parent }) => parent.close,
  'the mean of its parts by volume': ({ children }) => {
    const volume = children.reduce((sum, child) => sum + readVolume(child), 0);
    return children.reduce((sum, child) => sum + child.avg * readVolume(child), 0) / volume;
  },
};

function readVolume(candle: Candle): number {
  return toNumber(readAmount(candle, 'volume') ?? zero);
}

/** Returns the mean of some numbers. */
export function meanValue(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Returns the plain mean of the candles' averages; a loop without lists, since it runs for every family. */
export function meanAverage(candles: readonly Candle[]): number {
  let total = 0;
  for (let at = 0; at < candles.length; at++) total += (candles[at] as Candle).avg;
  return total / candles.length;
}

/** Returns the formula that gives most of these families' averages, within this share of their ranges. */
export function findFormula(families: readonly Family[], share: number): string | undefined {
  const found = Object.entries(formulas).find(([, averageOf]) => {
    const reported = families.filter(
      (family) =>
        Math.abs(family.parent.avg - averageOf(family)) <= share * (family.parent.high - family.parent.low),
    );
    return 2 * reported.length > families.length;
  });
  return found?.[0];
}
