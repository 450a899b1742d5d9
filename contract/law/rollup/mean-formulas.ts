import type { Candle } from '../../reading/candle.ts';
import { toNumber, zero } from '../../reading/decimal.ts';
import type { Family } from '../../relations/families.ts';
import { amountOf } from './rollup-amounts.ts';

/** What others take for the average of a candle, as a reader would write it. */
const formulas: Readonly<Record<string, (family: Family) => number>> = {
  '(high + low) / 2': ({ parent }) => meanOf([parent.high, parent.low]),
  '(high + low + close) / 3': ({ parent }) => meanOf([parent.high, parent.low, parent.close]),
  '(open + close) / 2': ({ parent }) => meanOf([parent.open, parent.close]),
  '(open + high + low + close) / 4': ({ parent: { open, high, low, close } }) =>
    meanOf([open, high, low, close]),
  close: ({ parent }) => parent.close,
  'the mean of its parts by volume': ({ children }) => {
    const volume = children.reduce((sum, each) => sum + volumeOf(each), 0);
    return children.reduce((sum, each) => sum + each.avg * volumeOf(each), 0) / volume;
  },
};

function volumeOf(candle: Candle): number {
  return toNumber(amountOf(candle, 'volume') ?? zero);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0) / values.length;
}

/** The plain mean of the candles' averages; a loop without lists, for it is taken of every family. */
export function averageOf(candles: readonly Candle[]): number {
  let total = 0;
  for (let at = 0; at < candles.length; at++) total += (candles[at] as Candle).avg;
  return total / candles.length;
}

/** The formula that tells the averages of most of these families, within this share of their ranges. */
export function formulaOf(families: readonly Family[], share: number): string | undefined {
  const found = Object.entries(formulas).find(([, averageOf]) => {
    const reported = families.filter(
      (each) => Math.abs(each.parent.avg - averageOf(each)) <= share * (each.parent.high - each.parent.low),
    );
    return 2 * reported.length > families.length;
  });
  return found?.[0];
}
