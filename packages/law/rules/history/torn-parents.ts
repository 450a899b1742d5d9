import { type Candle, hasSoundAverage } from '../../reading/candle.ts';
import { compare, distance } from '../../reading/decimal.ts';
import { arithmetic, measurePrecision, roundingShare } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { anyMinutes, canBeWeighed, fitAverage, type WeightedPart } from '../../relations/minute-weights.ts';
import { firstIndexFrom, type Timeline } from '../../relations/timeline.ts';
import { readAmount, roundingOfVolumes, sumVolumes } from '../rollup/family-values.ts';
import { lacksMinutes, matchesPrices, meanValue } from '../rollup/missed-minutes.ts';

/**
 * The content of a longer candle beyond the remaining rows in it. `more`: the content of a missing row. `nothing`: no
 * price and no volume. `minutes`: nothing, and its average shows that minutes beside the gap are missing too. `open`: its
 * numbers do not show it.
 */
export type Holds = 'more' | 'nothing' | 'minutes' | 'open';

/** A longer candle, its length and that of its parts in seconds, and the parts that are there. */
export type Torn = {
  readonly parent: Candle;
  readonly length: number;
  readonly partLength: number;
  readonly left: readonly Candle[];
};

/** Lists the longer candles that lack parts, as far as every other part of them is known. */
export function findTornParents(
  partLength: number,
  candles: readonly Candle[],
  missing: readonly number[],
  lines: readonly Timeline[],
): Torn[] {
  const gaps = new Set(missing);
  const found = new Map<Candle, Torn>();
  for (const start of missing) {
    const holder = findParent(start, partLength, lines);
    if (!holder || found.has(holder.parent)) continue;
    const { parent, length } = holder;
    const left = candles.slice(
      firstIndexFrom(candles, parent.start),
      firstIndexFrom(candles, parent.start + length),
    );
    found.set(parent, { parent, length, partLength, left });
  }
  return [...found.values()].filter((torn) => isAccountedFor(torn, gaps));
}

/** Returns the shortest of the longer candles that contain an interval. */
function findParent(start: number, partLength: number, lines: readonly Timeline[]) {
  const holders = lines.flatMap(({ candles, length }) => {
    const parent = candles[firstIndexFrom(candles, start + 1) - 1];
    return parent && length > partLength && parent.start + length >= start + partLength
      ? [{ parent, length }]
      : [];
  });
  return holders.sort((a, b) => a.length - b.length)[0];
}

/** Returns whether every part is there or known to be missing: none lies outside the requested ranges. */
function isAccountedFor({ parent, length, partLength, left }: Torn, gaps: ReadonlySet<number>): boolean {
  const there = new Set(left.map((candle) => candle.start));
  for (let at = parent.start; at < parent.start + length; at += partLength)
    if (!there.has(at) && !gaps.has(at)) return false;
  return true;
}

/**
 * Determines the content of a longer candle beyond its remaining rows. If rows need a trade, only volume proves one: an
 * interval without any may have had a price.
 */
export function holds(torn: Torn, pool: string, evidence: Evidence, needsTrade: boolean): Holds {
  const { parent, left } = torn;
  if (left.length === 0) return needsTrade && readAmount(parent, 'volume')?.units === 0n ? 'nothing' : 'more';
  const total = sumVolumes(left);
  const whole = readAmount(parent, 'volume');
  if (!total || !whole) return 'open';
  const isSummed = compare(distance(whole, total), roundingOfVolumes(left, total, whole)) <= 0;
  if (!isSummed) return 'more';
  if (needsTrade) return 'nothing';
  if (!matchesPrices(parent, left)) return 'more';
  if (![parent, ...left].every(hasSoundAverage)) return 'nothing';
  return explainedByAverage(torn, pool, evidence);
}

/**
 * Returns whether the average is a mean of the remaining rows, weighted by the minutes that each may have: any number
 * if all are incomplete, else only beside a gap, where an outage begins or ends, unless minutes are missing elsewhere.
 */
function explainedByAverage(
  { parent, length, partLength, left }: Torn,
  pool: string,
  evidence: Evidence,
): Holds {
  const averages = left.map(({ avg }) => avg);
  const rounding = roundingShare(parent.avg, measurePrecision(averages));
  const mean = meanValue(averages);
  if (Math.abs(parent.avg - mean) <= (arithmetic + 2 * rounding) * mean) return 'nothing';
  const isShort = canBeWeighed(partLength, length / partLength);
  const starts = new Set(left.map(({ start }) => start));
  const isBesideGap = ({ start }: Candle): boolean =>
    [start - partLength, start + partLength].some(
      (start) => !starts.has(start) && start >= parent.start && start < parent.start + length,
    );
  const parts = left.map((candle): WeightedPart => {
    const part = anyMinutes(candle.avg, partLength);
    return isShort || isBesideGap(candle) ? part : { ...part, fewest: part.most };
  });
  const fit = fitAverage(parent.avg, parts, rounding);
  if (fit === 'fits') return 'minutes';
  if (fit === 'misses' && isShort) return 'more';
  return lacksMinutes(pool, evidence) ? 'minutes' : 'open';
}
