import type { Candle } from '../../reading/candle.ts';
import { maxBy, minBy } from '../../reading/statistics.ts';
import { arithmetic } from '../../reading/tolerances.ts';
import type { FamilyCandles } from '../../relations/families.ts';

/** The relative difference of one stored number reported twice: a double may differ in its last place. */
function isSamePrice(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-12 * Math.abs(b) || !Number.isFinite(a + b);
}

/** The expected price; undefined where no part has one. */
function samePrice(words: string, parent: number, child = Number.NaN): string | undefined {
  return isSamePrice(parent, child) ? undefined : `${child}, ${words}`;
}

/** Returns the open of the first part. */
export function expectedOpen({ parent, children: [first], traded }: FamilyCandles): string | undefined {
  return first === traded[0] ? samePrice('where its first part opens', parent.open, first?.open) : undefined;
}

/** Returns the close of the last part. */
export function expectedClose({ parent, children }: FamilyCandles): string | undefined {
  return samePrice('where its last part closes', parent.close, children.at(-1)?.close);
}

/** Returns the highest high of the parts. */
export function expectedHighest(family: FamilyCandles): string | undefined {
  return extreme(family, 'high', (parts) => maxBy(parts, ({ high }) => high), 'the highest of its parts');
}

/** Returns the lowest low of the parts. */
export function expectedLowest(family: FamilyCandles): string | undefined {
  return extreme(family, 'low', (parts) => minBy(parts, ({ low }) => low), 'the lowest of its parts');
}

/** Returns the price of all parts, or of those with trades alone where they differ. */
function extreme(
  { parent, children, traded, hasSoundExtremes }: FamilyCandles,
  name: 'high' | 'low',
  most: (parts: readonly Candle[]) => number,
  words: string,
): string | undefined {
  if (!hasSoundExtremes) return undefined;
  if (isSamePrice(parent[name], most(traded))) return undefined;
  return samePrice(words, parent[name], most(children));
}

/** Returns the least and the greatest average of the parts. */
export function expectedMeanBounds(family: FamilyCandles): string | undefined {
  if (!family.hasSoundAverages || family.sharesBoundaries) return undefined;
  const { parent, children } = family;
  const most = maxBy(children, (child) => child.avg);
  const least = minBy(children, (child) => child.avg);
  const isWithin = parent.avg >= least * (1 - arithmetic) && parent.avg <= most * (1 + arithmetic);
  return isWithin ? undefined : `within [${least}, ${most}], the averages of its parts`;
}
