import { minute } from '@candleproof/document/spec/interval';
import { type Candle, hasSoundAverage, hasSoundExtremes } from '../../reading/candle.ts';
import { roundingShare, ulp } from '../../reading/tolerances.ts';
import type { DirectionPair } from '../../relations/direction-pairs.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { pricesReturned } from '../../relations/inversion-constants.ts';
import { intervalLength } from '../../relations/series.ts';
import { isInvertedPair, pairCheck } from './inversion-products.ts';

/** Returns the largest product of the two means by Kantorovich: both extremes have half the weight. */
function spread({ high, low }: Candle): number {
  return (high - low) ** 2 / (4 * high * low);
}

/** Returns the rounding error of two means over n values, and of their text. */
function meanError(
  pair: DirectionPair,
  { conventions }: Evidence,
): (plain: Candle, inverted: Candle) => number {
  const averages = conventions.averages.get(pair.plain);
  const inverses = conventions.averages.get(pair.inverted);
  const ofSums = (countObservations(pair) + 8) * ulp;
  return (plain, inverted) => {
    const reported = roundingShare(plain.avg, averages) + roundingShare(inverted.avg, inverses);
    return ofSums + pricesReturned(pair, plain, inverted) + reported;
  };
}

/** Leaves faults of one candle alone to its rules. */
function isSound(candle: Candle): boolean {
  return hasSoundAverage(candle) && hasSoundExtremes(candle);
}

function isExtreme(price: number, { high, low }: Candle): boolean {
  return price === high || price === low;
}

function countObservations({ plain }: DirectionPair): number {
  return intervalLength(plain) / minute + 1;
}

/**
 * avg × avg′ lies between K (Jensen) and K × (1 + spread) (Kantorovich), whatever the prices in between were. Rounding is
 * computed only if the bare bounds do not hold, which few candles need.
 */
export const meansWithinBounds = pairCheck((pair, evidence) => {
  const constant = evidence.constants().get(pair.pool);
  const errorOf = meanError(pair, evidence);
  return (plain, inverted) => {
    if (!constant) return undefined;
    const product = plain.avg * inverted.avg;
    const most = constant.to * (1 + spread(plain));
    if (product >= constant.from && product <= most) return undefined;
    if (!isSound(plain) || !isSound(inverted)) return undefined;
    const error = errorOf(plain, inverted);
    const from = constant.from * (1 - error);
    const to = most * (1 + error);
    if (product >= from && product <= to) return undefined;
    return {
      field: 'average',
      expected: `an average whose product with ${plain.avg} lies in [${from}, ${to}]`,
    };
  };
}, isInvertedPair);

/**
 * The mean of inverted prices exceeds the inverse of their mean if prices differ, at least by the share of the two
 * extremes among n observations (Cauchy–Schwarz). Decided only if that exceeds the rounding.
 */
export const meanIsOfInverses = pairCheck((pair, evidence) => {
  const constant = evidence.constants().get(pair.pool);
  const errorOf = meanError(pair, evidence);
  const observations = countObservations(pair);
  return (plain, inverted) => {
    if (!constant) return undefined;
    const w = spread(plain);
    const least = (1 + (2 * w) / ((Math.sqrt(1 + w) + 1) * observations)) ** 2;
    const product = plain.avg * inverted.avg;
    if (!(product < constant.from * least)) return undefined;
    if (isExtreme(plain.open, plain) || isExtreme(plain.close, plain)) return undefined;
    if (!isSound(plain) || !isSound(inverted)) return undefined;
    const error = errorOf(plain, inverted);
    const width = (constant.to - constant.from) / constant.from;
    if (least - 1 <= 4 * (error + width)) return undefined;
    const bound = constant.from * least * (1 - error);
    if (!(product < bound)) return undefined;
    return { field: 'average', expected: `at least ${bound / plain.avg}, a mean of inverted prices` };
  };
}, isInvertedPair);
