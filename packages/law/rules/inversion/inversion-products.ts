import type { CandleRole } from '@candleproof/document/spec/roles';
import { type Candle, hasSoundExtremes } from '../../reading/candle.ts';
import type { CandlePair, DirectionPair } from '../../relations/direction-pairs.ts';
import type { Evidence } from '../../relations/evidence.ts';
import {
  type Constant,
  findMiddle,
  hasSamePrices,
  isNotInverted,
  maxReturned,
  widenTo,
} from '../../relations/inversion-constants.ts';
import { candleBreach } from '../breach.ts';
import type { Rule } from '../rule.ts';

type Price = 'open' | 'close' | 'high' | 'low';

/** Multiplies a plain candle's price by that of the inverted one; without computed property names, which are slow. */
type Product = {
  readonly one: Price;
  readonly other: Price;
  readonly of: (plain: Candle, inverted: Candle) => number;
};

/** Products that inversion makes one constant: first with first, last with last. */
const ends: readonly Product[] = [
  { one: 'open', other: 'open', of: (plain, inverted) => plain.open * inverted.open },
  { one: 'close', other: 'close', of: (plain, inverted) => plain.close * inverted.close },
];

/** Products of the extremes: inversion turns the highest price into the lowest. */
const extremes: readonly Product[] = [
  { one: 'high', other: 'low', of: (plain, inverted) => plain.high * inverted.low },
  { one: 'low', other: 'high', of: (plain, inverted) => plain.low * inverted.high },
];

/**
 * Checks that opens and closes meet the constant. An answer that is the plain one over again is reported here alone; where a
 * pool shows a single price and the same beside it, nothing says whether that was inverted.
 */
export const endsMeet: Rule['check'] = function* (evidence) {
  yield* compareEnds(evidence);
  for (const pair of evidence.directionPairs()) {
    if (tellsConstant(pair, evidence)) continue;
    const { pool } = pair.plain.requested;
    yield { undecided: `pool ${pool} shows one price alone, the same with and without inversion` };
  }
};

const compareEnds = pairCheck(
  (pair, { constants }) => testProducts(ends, pair, constants().get(pair.pool)),
  tellsConstant,
);

function tellsConstant(pair: DirectionPair, { constants }: Evidence): boolean {
  return constants().has(pair.pool) || !hasSamePrices(pair) || isNotInverted(pair);
}

/** Checks that extremes meet the constant, where anything was inverted at all. */
export const extremesMeet = pairCheck((pair, { constants }) => {
  const test = testProducts(extremes, pair, constants().get(pair.pool));
  return (plain, inverted) =>
    hasSoundExtremes(plain) && hasSoundExtremes(inverted) ? test(plain, inverted) : undefined;
}, isInvertedPair);

/** Returns whether a pair has something to compare: an answer that ignores inversion is reported by the rule of opens. */
export function isInvertedPair(pair: DirectionPair): boolean {
  return !isNotInverted(pair);
}

/** Makes a test of products against the constant of the pool: as one of prices it is above zero, whatever others show. */
function testProducts(
  products: readonly Product[],
  pair: DirectionPair,
  constant: Constant | undefined,
): PairTest {
  const bounds = constant && widenTo(constant, maxReturned(pair));
  const isCopy = isNotInverted(pair);
  return (plain, inverted) => {
    for (const { one, other, of } of products) {
      const product = of(plain, inverted);
      if (meets(product, bounds, isCopy) || (product === 0 && isRounded(pair.precision))) continue;
      const wanted = bounds
        ? `= ${nameMiddle(bounds)}, as in the pool's other candles`
        : isCopy
          ? 'to be one constant, not the square of a plain price'
          : 'above zero';
      return { field: other, expected: `${one} × inverted ${other} ${wanted}`, actual: String(product) };
    }
    return undefined;
  };
}

function meets(product: number, bounds: Constant | undefined, isCopy: boolean): boolean {
  if (Number.isNaN(product)) return true;
  if (bounds) return product >= bounds.from && product <= bounds.to;
  return product > 0 && !isCopy;
}

/** Returns whether both sides are written to so few decimals that a small price is zero. */
function isRounded({ plain, inverted }: DirectionPair['precision']): boolean {
  return inverted.decimals === 0 && plain.decimals === 0;
}

function nameMiddle(constant: Constant): string {
  return String(Number(findMiddle(constant).toPrecision(9)));
}

/** The expectation that an inverted candle breaks, and the actual value unless it is simply its field. */
type FoundInPair = { readonly field: CandleRole; readonly expected: string; readonly actual?: string };

export type PairTest = (plain: Candle, inverted: Candle) => FoundInPair | undefined;

/**
 * Makes a check that compares every candle with the inverted one and reports the inverted one. The test is made once per
 * pair of answers, with the values that all of their candles share; pairs that `isJudged` leaves out show nothing.
 */
export function pairCheck(
  testOf: (pair: DirectionPair, evidence: Evidence) => PairTest,
  isJudged: (pair: DirectionPair, evidence: Evidence) => boolean = () => true,
): Rule['check'] {
  return function* check(evidence) {
    for (const pair of evidence.directionPairs()) {
      if (!isJudged(pair, evidence)) continue;
      yield { judged: pair.inverted };
      for (const [{ plain, inverted }, found] of brokenPairs(pair, testOf(pair, evidence))) {
        yield { breach: candleBreach(pair.inverted, inverted, found.field, found, [plain, inverted]) };
      }
    }
  };
}

/** A plain loop, since it runs for several rules over every pair. */
function brokenPairs({ candles }: DirectionPair, test: PairTest): [CandlePair, FoundInPair][] {
  const broken: [CandlePair, FoundInPair][] = [];
  for (let at = 0; at < candles.length; at++) {
    const pair = candles[at] as CandlePair;
    const found = test(pair.plain, pair.inverted);
    if (found) broken.push([pair, found]);
  }
  return broken;
}
