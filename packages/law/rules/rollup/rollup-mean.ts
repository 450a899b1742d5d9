import { largest, maxBy, median } from '../../reading/statistics.ts';
import { meanOff, measurePrecision, roundingShare } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { Family } from '../../relations/families.ts';
import type { Fit } from '../../relations/minute-weights.ts';
import { type Breach, candleBreach } from '../breach.ts';
import type { CheckOutcome } from '../rule.ts';
import {
  findFormula,
  findWholeCandles,
  fitOfMinutes,
  isOfWholeParts,
  maxWeighed,
  meanAverage,
  missedShare,
} from './missed-minutes.ts';

/** Families of one answer that suffice for a meaningful median. */
const enough = 5;

/** Relative range below which rounding alone moves a noticeable share of it. */
function narrowest(all: readonly Family[]): number {
  const precision = measurePrecision(all.map(({ parent }) => parent.high));
  return Math.max(1e-8, 100 * maxBy(all, ({ parent }) => roundingShare(parent.high, precision)));
}

/** Returns the rounding of an average, as a share of the narrowest range. */
function formulaShare(wide: readonly Family[]): number {
  const precision = measurePrecision(wide.map(({ parent }) => parent.avg));
  const shares = wide.map(
    ({ parent: { avg, high, low } }) => (2 * avg * roundingShare(avg, precision)) / (high - low),
  );
  return Math.max(meanOff.undecided, largest(shares));
}

/**
 * Equal parts make a plain mean, but parts with missing minutes weigh less: single candles prove nothing, the median over
 * several does, measured as a share of the candle's range. If it is far off, either the averages are those of a known
 * formula, or no missing minutes explain them, or nothing is proven.
 */
function* checkMeans(evidence: Evidence): Generator<CheckOutcome> {
  for (const [answer, families] of Map.groupBy(evidence.families(), (family) => family.answer)) {
    const wide = keepWide(families);
    if (wide.length < enough) continue;
    const middle = wide.length >> 1;
    const middleOff = median(wide.map(missedShare));
    if (middleOff <= meanOff.undecided) {
      yield { judged: answer };
      continue;
    }
    const sorted = wide.map((family) => ({ family, off: missedShare(family) })).sort((a, b) => a.off - b.off);
    const far = sorted.toReversed().filter(({ off }) => off > meanOff.undecided);
    const formula = findFormula(wide, formulaShare(wide));
    const fit = formula === undefined ? fitOfMost(far, evidence) : 'misses';
    if (fit === 'fits') yield { judged: answer };
    else if (fit === 'misses' && middleOff > meanOff.breach)
      yield { breach: makeBreach((sorted[middle] as (typeof sorted)[number]).family, formula) };
    else yield { undecided: 'averages differ from the mean by what an outage explains' };
  }
}

function keepWide(all: readonly Family[]): Family[] {
  const narrow = narrowest(all);
  return all.filter(
    ({ parent, hasSoundAverages, sharesBoundaries }) =>
      parent.high / parent.low - 1 > narrow && hasSoundAverages && !sharesBoundaries,
  );
}

function makeBreach({ answer, parent, children }: Family, formula: string | undefined): Breach {
  const found = {
    expected: `${meanAverage(children)}, the mean of its ${children.length} parts`,
    actual: `${parent.avg}${formula === undefined ? '' : `, which is ${formula}`}`,
  };
  return candleBreach(answer, parent, 'average', found, [parent, ...children.slice(0, 24)]);
}

/** Judges whether averages are means over the observed minutes of their parts; `open` if the evidence is balanced. */
function fitOfMost(far: readonly { readonly family: Family }[], evidence: Evidence): Fit {
  const whole = findWholeCandles(evidence.families());
  const fits = far.slice(0, maxWeighed).map(({ family }) => fitOfMinutes(family, whole, evidence));
  const [fitting, missing] = (['fits', 'misses'] as const).map((wanted) =>
    fits.filter((fit) => fit === wanted),
  );
  const lead = (missing?.length ?? 0) - (fitting?.length ?? 0);
  return lead > 0 ? 'misses' : lead < 0 ? 'fits' : 'open';
}

/** Judges candles too few for a median: one family without a missing minute is enough. */
export function* checkEveryMean(evidence: Evidence): Generator<CheckOutcome> {
  yield* checkMeans(evidence);
  const whole = findWholeCandles(evidence.families());
  for (const [answer, families] of Map.groupBy(evidence.families(), (family) => family.answer)) {
    const wide = keepWide(families);
    if (wide.length >= enough) continue;
    const even = wide.filter((family) => isOfWholeParts(family, whole));
    if (even.length > 0) yield { judged: answer };
    for (const family of even) {
      const share = formulaShare([family]);
      if (missedShare(family) > 10 * share)
        yield { breach: makeBreach(family, findFormula([family], share)) };
    }
  }
}
