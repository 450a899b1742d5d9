import { measurePrecision, roundingShare } from '../../reading/precision.ts';
import { largest, maxBy, median } from '../../reading/statistics.ts';
import { meanOff } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { Family } from '../../relations/families.ts';
import type { Fit } from '../../relations/minute-weights.ts';
import { type Breach, candleBreach, type Sight } from '../rule.ts';
import { averageOf, formulaOf } from './mean-formulas.ts';
import { fitOfMinutes, isOfWholeParts, mostWeighed, offShare, wholeCandles } from './missed-minutes.ts';

/** Families of one answer that are enough for a median to mean something. */
const enough = 5;

/** Relative range below which rounding alone moves a noticeable share of it. */
function narrowest(all: readonly Family[]): number {
  const precision = measurePrecision(all.map(({ parent }) => parent.high));
  return Math.max(1e-8, 100 * maxBy(all, ({ parent }) => roundingShare(parent.high, precision)));
}

/** What rounding may move an average by, as a share of the narrowest range. */
function formulaShare(wide: readonly Family[]): number {
  const precision = measurePrecision(wide.map(({ parent }) => parent.avg));
  const shares = wide.map(
    ({ parent: { avg, high, low } }) => (2 * avg * roundingShare(avg, precision)) / (high - low),
  );
  return Math.max(meanOff.undecided, largest(shares));
}

/**
 * Equal parts make a plain mean, but parts of which minutes are missing weigh less: single candles prove nothing, the
 * median over several does, measured as a share of the candle's own range. Where it is far off, the averages are those
 * of a known formula, or no missing minutes explain them; or else nothing is proven.
 */
export function* checkMeans(evidence: Evidence): Generator<Sight> {
  for (const [answer, own] of Map.groupBy(evidence.families(), (each) => each.answer)) {
    const wide = wideOf(own);
    if (wide.length < enough) continue;
    const middle = wide.length >> 1;
    const middleOff = median(wide.map(offShare));
    if (middleOff <= meanOff.undecided) {
      yield { judged: answer };
      continue;
    }
    const sorted = wide.map((family) => ({ family, off: offShare(family) })).sort((a, b) => a.off - b.off);
    const far = sorted.toReversed().filter(({ off }) => off > meanOff.undecided);
    const formula = formulaOf(wide, formulaShare(wide));
    const fit = formula === undefined ? fitOfMost(far, evidence) : 'misses';
    if (fit === 'fits') yield { judged: answer };
    else if (fit === 'misses' && middleOff > meanOff.breach)
      yield { breach: breachAt((sorted[middle] as (typeof sorted)[number]).family, formula) };
    else yield { undecided: 'averages differ from the mean by what an outage explains' };
  }
}

function wideOf(all: readonly Family[]): Family[] {
  const narrow = narrowest(all);
  return all.filter(
    ({ parent, hasSoundAverages, sharesBoundaries }) =>
      parent.high / parent.low - 1 > narrow && hasSoundAverages && !sharesBoundaries,
  );
}

function breachAt({ answer, parent, children }: Family, formula: string | undefined): Breach {
  const found = {
    expected: `${averageOf(children)}, the mean of its ${children.length} parts`,
    actual: `${parent.avg}${formula === undefined ? '' : `, which is ${formula}`}`,
  };
  return {
    ...candleBreach(answer, parent, 'average', found),
    candles: [parent, ...children.slice(0, 24)],
  };
}

/** Are they means over so many minutes of their parts as were observed? `open` where as many tell one as the other. */
function fitOfMost(far: readonly { readonly family: Family }[], evidence: Evidence): Fit {
  const whole = wholeCandles(evidence.families());
  const fits = far.slice(0, mostWeighed).map(({ family }) => fitOfMinutes(family, whole, evidence));
  const [fitting, missing] = (['fits', 'misses'] as const).map((wanted) =>
    fits.filter((each) => each === wanted),
  );
  const lead = (missing?.length ?? 0) - (fitting?.length ?? 0);
  return lead > 0 ? 'misses' : lead < 0 ? 'fits' : 'open';
}

/** The same, and candles that are too few for a median: of parts in which no minute is missing one is enough. */
export function* checkEveryMean(evidence: Evidence): Generator<Sight> {
  yield* checkMeans(evidence);
  const whole = wholeCandles(evidence.families());
  for (const [answer, own] of Map.groupBy(evidence.families(), (each) => each.answer)) {
    const wide = wideOf(own);
    if (wide.length >= enough) continue;
    const even = wide.filter((each) => isOfWholeParts(each, whole));
    if (even.length > 0) yield { judged: answer };
    for (const family of even) {
      const share = formulaShare([family]);
      if (offShare(family) > 10 * share) yield { breach: breachAt(family, formulaOf([family], share)) };
    }
  }
}
