import type { Evidence } from '../evidence.ts';
import type { Family } from '../families.ts';
import { largest } from '../largest.ts';
import { precisionOf, roundingShare } from '../precision.ts';
import { candleBreach, type Sight } from '../rule.ts';
import { meanOff } from '../tolerances.ts';

/** Families of one answer that are enough for a median to mean something. */
const enough = 5;

/** Relative range below which rounding alone moves a noticeable share of it. */
function narrowest(all: readonly Family[]): number {
  const precision = precisionOf(all.map(({ parent }) => parent.high));
  return Math.max(1e-8, 100 * largest(all.map(({ parent }) => roundingShare(parent.high, precision))));
}

/**
 * Equal parts make a plain mean, but a sampling outage weighs one part less: single candles prove nothing, the
 * median over several does. Measured as a share of the candle's own range.
 */
export function* checkMeans({ families }: Evidence): Generator<Sight> {
  const byAnswer = Map.groupBy(families(), (each) => each.answer);
  for (const [answer, all] of byAnswer) {
    const narrow = narrowest(all);
    const wide = all.filter(
      ({ parent, hasSoundAverages, sharesBoundaries }) =>
        parent.high / parent.low - 1 > narrow && hasSoundAverages && !sharesBoundaries,
    );
    if (wide.length < enough) continue;
    const sorted = wide.map((each) => ({ ...each, off: offShare(each) })).sort((a, b) => a.off - b.off);
    const middle = sorted[sorted.length >> 1];
    if (!middle || middle.off <= meanOff.undecided) yield { judged: answer };
    else if (middle.off <= meanOff.breach)
      yield { undecided: 'averages differ from the mean by what an outage explains' };
    else {
      const expected = `${meanOf(middle)}, the mean of its ${middle.children.length} parts`;
      const breach = candleBreach(answer, middle.parent, 'avg', expected);
      yield { breach: { ...breach, candles: [middle.parent, ...middle.children.slice(0, 24)] } };
    }
  }
}

function meanOf({ children }: Family): number {
  return children.reduce((total, each) => total + each.avg, 0) / children.length;
}

function offShare(family: Family): number {
  return Math.abs(family.parent.avg - meanOf(family)) / (family.parent.high - family.parent.low);
}
