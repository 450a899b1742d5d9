import type { Candle } from '../../reading/candle.ts';
import { measurePrecision, roundingShare } from '../../reading/precision.ts';
import { maxBy, minBy } from '../../reading/statistics.ts';
import { meanOff } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { Family } from '../../relations/families.ts';
import { anyMinutes, canBeWeighed, type Fit, fitOf } from '../../relations/minute-weights.ts';
import { lengthOf, poolOf } from '../../relations/series.ts';
import { averageOf, formulaOf } from './mean-formulas.ts';
import { expectedVolume } from './rollup-amounts.ts';

/** Families that are weighed minute by minute at most: each takes milliseconds. */
export const mostWeighed = 12;

/** Its prices are those of the first, the last and the outermost of these parts. */
export function hasPricesOf({ open, close, high, low }: Candle, left: readonly Candle[]): boolean {
  return (
    open === left[0]?.open &&
    close === left.at(-1)?.close &&
    high === maxBy(left, (each) => each.high) &&
    low === minBy(left, (each) => each.low)
  );
}

/** Distance of a candle's average from the plain mean of its parts, as a share of its own range. */
export function offShare({ parent, children }: Family): number {
  return Math.abs(parent.avg - averageOf(children)) / (parent.high - parent.low);
}

/** Names of the candles of which every minute was observed, as far as averages prove it: means of equal parts throughout. */
export function wholeCandles(families: readonly Family[]): ReadonlySet<string> {
  const whole = new Set<string>();
  for (const family of families.toSorted((a, b) => a.partLength - b.partLength)) {
    const { partLength, parent, children } = family;
    const isEven =
      canBeWeighed(partLength, children.length) ||
      children.every((each) => whole.has(nameOf(family, each.start, partLength)));
    if (isEven && isTelling(family) && offShare(family) <= meanOff.undecided)
      whole.add(nameOf(family, parent.start, lengthOf(family.answer)));
  }
  return whole;
}

/** Its price moved, and no average in it contradicts its own candle: a missing minute would show. */
function isTelling({ parent, hasSoundAverages, sharesBoundaries }: Family): boolean {
  return parent.high > parent.low && hasSoundAverages && !sharesBoundaries;
}

function nameOf({ answer }: Family, start: number, length: number): string {
  return `${poolOf(answer)} ${length} ${start}`;
}

/** What its text may have moved each of a family's averages by, as a share of it. */
export function roundingOf({ parent, children, answer }: Family, { conventions }: Evidence): number {
  const precisions = [conventions.averages.get(answer), measurePrecision(children.map((each) => each.avg))];
  return Math.max(...precisions.map((each) => roundingShare(parent.avg, each)));
}

/** Do minutes that nobody observed explain that an average is not the plain mean of its parts? */
export function fitOfMinutes(family: Family, whole: ReadonlySet<string>, evidence: Evidence): Fit {
  const { parent, children, partLength } = family;
  if (canBeWeighed(partLength, children.length)) {
    const parts = children.map(({ avg }) => anyMinutes(avg, partLength));
    return fitOf(parent.avg, parts, roundingOf(family, evidence));
  }
  return isOfWholeParts(family, whole) ? 'misses' : 'open';
}

/** Every minute of every part was observed: the longer candle can be nothing but their mean. */
export function isOfWholeParts(family: Family, whole: ReadonlySet<string>): boolean {
  return family.children.every((each) => whole.has(nameOf(family, each.start, family.partLength)));
}

/** Minutes of this pool are missing elsewhere: a longer candle counts all that its parts do, and weighs them unequally. */
export function lacksMinutes(pool: string, evidence: Evidence): boolean {
  const own = evidence.families().filter(({ answer }) => poolOf(answer) === pool);
  const off = own.filter((each) => isTelling(each) && offShare(each) > meanOff.undecided);
  if (off.length === 0 || formulaOf(off, meanOff.undecided) !== undefined) return false;
  const whole = wholeCandles(own);
  return off
    .filter((each) => hasPricesOf(each.parent, each.children) && expectedVolume(each) === undefined)
    .slice(0, mostWeighed)
    .some((each) => fitOfMinutes(each, whole, evidence) !== 'misses');
}
