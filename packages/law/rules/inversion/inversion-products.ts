import type { CandleRole } from '@candleproof/document/spec/roles';
import { type Candle, hasSoundExtremes } from '../../reading/candle.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { CandlePair, TimeRange, Twins } from '../../relations/twins.ts';
import { candleBreach } from '../breach.ts';
import type { Rule } from '../rule.ts';

type Price = 'open' | 'close' | 'high' | 'low';

/** Multiplies a plain candle's price by its twin's; without computed property names, which are slow. */
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

/** Products of the extremes: inversion turns the highest price into the lowest. */
export const extremes: readonly Product[] = [
  { one: 'high', other: 'low', of: (plain, inverted) => plain.high * inverted.low },
  { one: 'low', other: 'high', of: (plain, inverted) => plain.low * inverted.high },
];

/**
 * Makes a check that these products equal the constant that all candles of the pool share. As a product of prices it is
 * above zero, whatever the other candles show.
 */
export function productsMeet(products: readonly Product[]): Rule['check'] {
  return twinCheck(({ pool, precision }, { constants }) => {
    const constant = constants().get(pool);
    return (plain, inverted) => {
      if (products === extremes && !(hasSoundExtremes(plain) && hasSoundExtremes(inverted))) return undefined;
      for (const { one, other, of } of products) {
        const product = of(plain, inverted);
        if (meets(product, constant) || (product === 0 && isRounded(precision))) continue;
        const wanted = constant ? `= ${findMiddle(constant)}, as in the pool's other candles` : 'above zero';
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

/** Returns whether both sides are written to so few decimals that a small price is zero. */
function isRounded({ plain, inverted }: Twins['precision']): boolean {
  return inverted.decimals === 0 && plain.decimals === 0;
}

function findMiddle({ from, to }: TimeRange): string {
  return String(Number(((from + to) / 2).toPrecision(9)));
}

/** The expectation that an inverted candle breaks, and the actual value unless it is simply its field. */
type FoundInTwin = { readonly field: CandleRole; readonly expected: string; readonly actual?: string };

export type TwinTest = (plain: Candle, inverted: Candle) => FoundInTwin | undefined;

/**
 * Makes a check that compares every candle with its inverted twin and reports the inverted one. The test is made once per
 * pair of answers, with the values that all of their candles share.
 */
export function twinCheck(testOf: (pair: Twins, evidence: Evidence) => TwinTest): Rule['check'] {
  return function* check(evidence) {
    for (const pair of evidence.twins()) {
      yield { judged: pair.inverted };
      for (const [{ plain, inverted }, found] of brokenTwins(pair, testOf(pair, evidence))) {
        yield { breach: candleBreach(pair.inverted, inverted, found.field, found, [plain, inverted]) };
      }
    }
  };
}

/** A plain loop, since it runs for several rules over every pair. */
function brokenTwins({ candles }: Twins, test: TwinTest): [CandlePair, FoundInTwin][] {
  const broken: [CandlePair, FoundInTwin][] = [];
  for (let at = 0; at < candles.length; at++) {
    const pair = candles[at] as CandlePair;
    const found = test(pair.plain, pair.inverted);
    if (found) broken.push([pair, found]);
  }
  return broken;
}
