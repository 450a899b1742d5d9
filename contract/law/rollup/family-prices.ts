import type { Candle } from '../../reading/candle.ts';
import { largestOf, smallestOf } from '../../reading/largest.ts';
import { arithmetic } from '../../reading/tolerances.ts';
import type { FamilyCandles } from '../../relations/families.ts';

/** The same stored number reported twice; a double that was written and read again may differ in its last place. */
function isSamePrice(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-12 * Math.abs(b) || !Number.isFinite(a + b);
}

function samePrice(parent: number, child: number | undefined, words: string): string | undefined {
  return child === undefined || isSamePrice(parent, child) ? undefined : `${child}, ${words}`;
}

export function expectedOpen({ parent, children: [first], traded }: FamilyCandles): string | undefined {
  return first === traded[0] ? samePrice(parent.open, first?.open, 'where its first part opens') : undefined;
}

export function expectedClose({ parent, children }: FamilyCandles): string | undefined {
  return samePrice(parent.close, children.at(-1)?.close, 'where its last part closes');
}

export function expectedHighest(family: FamilyCandles): string | undefined {
  return extreme(family, 'high', (parts) => largestOf(parts, ({ high }) => high), 'the highest of its parts');
}

export function expectedLowest(family: FamilyCandles): string | undefined {
  return extreme(family, 'low', (parts) => smallestOf(parts, ({ low }) => low), 'the lowest of its parts');
}

/** Of all parts, or of those with trades alone where they differ. */
function extreme(
  { parent, children, traded, hasSoundExtremes }: FamilyCandles,
  name: 'high' | 'low',
  most: (parts: readonly Candle[]) => number | undefined,
  words: string,
): string | undefined {
  if (!hasSoundExtremes) return undefined;
  const expected = samePrice(parent[name], most(children), words);
  const isOfTrades = traded !== children && samePrice(parent[name], most(traded), words) === undefined;
  return isOfTrades ? undefined : expected;
}

export function expectedMeanBounds(family: FamilyCandles): string | undefined {
  if (!family.hasSoundAverages || family.sharesBoundaries) return undefined;
  const { parent, children } = family;
  const most = largestOf(children, (each) => each.avg);
  const least = smallestOf(children, (each) => each.avg);
  const isWithin = parent.avg >= least * (1 - arithmetic) && parent.avg <= most * (1 + arithmetic);
  return isWithin ? undefined : `within [${least}, ${most}], the averages of its parts`;
}
