import { minute } from '../../document/interval.ts';
import { type Candle, hasSoundAverage, hasSoundExtremes } from '../../reading/candle.ts';
import { roundingShare } from '../../reading/precision.ts';
import { ulp } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { lengthOf } from '../../relations/series.ts';
import { pricesReturned, type Twins } from '../../relations/twins.ts';
import type { Rule } from '../rule.ts';
import { eachTwin } from './inversion-twins.ts';

/** Largest product of the two means, by Kantorovich: both extremes weigh half. */
function spread({ high, low }: Candle): number {
  return (high - low) ** 2 / (4 * high * low);
}

/** Rounding of two means over n values, and of the text that tells them. */
function meanError({ conventions }: Evidence, pair: Twins, plain: Candle, inverted: Candle): number {
  const reported =
    roundingShare(plain.avg, conventions.averages.get(pair.plain)) +
    roundingShare(inverted.avg, conventions.averages.get(pair.inverted));
  return 2 * (observationsIn(pair) + 8) * (ulp / 2) + pricesReturned(pair, plain, inverted) + reported;
}

/** What is wrong with the candle alone is another rule's matter. */
function isSound(candle: Candle): boolean {
  return hasSoundAverage(candle) && hasSoundExtremes(candle);
}

function observationsIn({ plain }: Twins): number {
  return lengthOf(plain) / minute + 1;
}

/** avg × avg′ lies between K (Jensen) and K × (1 + spread) (Kantorovich), whatever the prices in between were. */
export const meansWithinBounds: Rule['check'] = function* check(evidence) {
  const known = evidence.constants();
  yield* eachTwin((plain, inverted, pair) => {
    const constant = known.get(pair.pool);
    if (!constant || !isSound(plain) || !isSound(inverted)) return undefined;
    const error = meanError(evidence, pair, plain, inverted);
    const from = constant.from * (1 - error);
    const to = constant.to * (1 + spread(plain)) * (1 + error);
    const product = plain.avg * inverted.avg;
    if (product >= from && product <= to) return undefined;
    return {
      field: 'average',
      expected: `an average whose product with ${plain.avg} lies in [${from}, ${to}]`,
    };
  })(evidence);
};

/**
 * The mean of inverted prices is more than the inverse of their mean wherever prices differ: at least by what the
 * two extremes alone add among n observations (Cauchy–Schwarz). Decided only where that exceeds the rounding.
 */
export const meanIsOfInverses: Rule['check'] = function* check(evidence) {
  const known = evidence.constants();
  yield* eachTwin((plain, inverted, pair) => {
    const constant = known.get(pair.pool);
    const extremesAreInside = [plain.open, plain.close].every(
      (each) => each !== plain.high && each !== plain.low,
    );
    if (!constant || !extremesAreInside || !isSound(plain) || !isSound(inverted)) return undefined;
    const w = spread(plain);
    const least = (1 + (2 * w) / ((Math.sqrt(1 + w) + 1) * observationsIn(pair))) ** 2;
    const error = meanError(evidence, pair, plain, inverted);
    const width = (constant.to - constant.from) / constant.from;
    if (least - 1 <= 4 * (error + width)) return undefined;
    const bound = constant.from * least * (1 - error);
    if (!(plain.avg * inverted.avg < bound)) return undefined;
    return { field: 'average', expected: `at least ${bound / plain.avg}, a mean of inverted prices` };
  })(evidence);
};
