import { type Candle, hasSoundExtremes } from '../../reading/candle.ts';
import type { TimeRange } from '../../relations/twins.ts';
import type { Rule } from '../rule.ts';
import { eachTwin } from './inversion-twins.ts';

type Price = 'open' | 'close' | 'high' | 'low';

/** A price of a plain candle times one of its twin; spelt out, as a property by a name that changes is slow to find. */
type Product = {
  readonly one: Price;
  readonly other: Price;
  readonly of: (plain: Candle, inverted: Candle) => number;
};

/** Products that inversion makes one constant: first with first, last with last. */
export const ends: readonly Product[] = [
  { one: 'open', other: 'open', of: (plain, inverted) => plain.open * inverted.open },
  { one: 'close', other: 'close', of: (plain, inverted) => plain.close * inverted.close },
];

/** Inversion turns the highest price into the lowest. */
export const extremes: readonly Product[] = [
  { one: 'high', other: 'low', of: (plain, inverted) => plain.high * inverted.low },
  { one: 'low', other: 'high', of: (plain, inverted) => plain.low * inverted.high },
];

/**
 * A check that these products meet the constant that all candles of the pool have in common. It is a
 * price times a price: above zero, whatever the others say.
 */
export function productsMeet(products: readonly Product[]): Rule['check'] {
  return eachTwin(({ pool }, { constants }) => {
    const constant = constants().get(pool);
    return (plain, inverted) => {
      if (products === extremes && !(hasSoundExtremes(plain) && hasSoundExtremes(inverted))) return undefined;
      for (const { one, other, of } of products) {
        const product = of(plain, inverted);
        if (meets(product, constant)) continue;
        const wanted = constant ? `= ${middleOf(constant)}, as in the pool's other candles` : 'above zero';
        return { field: other, expected: `${one} × inverted ${other} ${wanted}`, actual: String(product) };
      }
      return undefined;
    };
  });
}

function meets(product: number, constant: TimeRange | undefined): boolean {
  if (Number.isNaN(product)) return true;
  return constant ? product >= constant.from && product <= constant.to : product > 0;
}

function middleOf({ from, to }: TimeRange): string {
  return String(Number(((from + to) / 2).toPrecision(9)));
}
