import type { Candle } from '../../reading/candle.ts';
import { toNumber, zero } from '../../reading/decimal.ts';
import { maxBy, minBy } from '../../reading/statistics.ts';
import { meanOff, measurePrecision, roundingShare } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { Family } from '../../relations/families.ts';
import { anyMinutes, canBeWeighed, type Fit, fitAverage } from '../../relations/minute-weights.ts';
import { intervalLength, poolKey } from '../../relations/series.ts';
import { expectedVolume, readAmount } from './family-values.ts';

/** The most families that are weighed minute by minute: each takes milliseconds. */
export const maxWeighed = 12;

/** Returns whether a candle's prices are those of the first, the last and the outermost of these parts. */
export function matchesPrices({ open, close, high, low }: Candle, left: readonly Candle[]): boolean {
  return (
    open === left[0]?.open &&
    close === left.at(-1)?.close &&
    high === maxBy(left, (candle) => candle.high) &&
    low === minBy(left, (candle) => candle.low)
  );
}

/** Returns the distance of a candle's average from the plain mean of its parts, as a share of its range. */
export function missedShare({ parent, children }: Family): number {
  return Math.abs(parent.avg - meanAverage(children)) / (parent.high - parent.low);
}

/** Names the candles whose every minute was observed, by averages that are exact means of equal parts. */
export function findWholeCandles(families: readonly Family[]): ReadonlySet<string> {
  const whole = new Set<string>();
  for (const family of families.toSorted((a, b) => a.partLength - b.partLength)) {
    const { partLength, parent, children } = family;
    const isEven =
      canBeWeighed(partLength, children.length) ||
      children.every((child) => whole.has(nameCandle(family, child.start, partLength)));
    if (isEven && isTelling(family) && missedShare(family) <= meanOff.undecided)
      whole.add(nameCandle(family, parent.start, intervalLength(family.answer)));
  }
  return whole;
}

/** Returns whether a candle moved and no average in it contradicts it: a missing minute would show. */
function isTelling({ parent, hasSoundAverages, sharesBoundaries }: Family): boolean {
  return parent.high > parent.low && hasSoundAverages && !sharesBoundaries;
}

function nameCandle({ answer }: Family, start: number, length: number): string {
  return `${poolKey(answer)} ${length} ${start}`;
}

/** Returns the share by which rounding may have moved any average of a family. */
function familyRounding({ parent, children, answer }: Family, { conventions }: Evidence): number {
  const precisions = [conventions.averages.get(answer), measurePrecision(children.map((child) => child.avg))];
  return Math.max(...precisions.map((precision) => roundingShare(parent.avg, precision)));
}

/** Returns whether unobserved minutes explain that an average is not the plain mean of its parts. */
export function fitOfMinutes(family: Family, whole: ReadonlySet<string>, evidence: Evidence): Fit {
  const { parent, children, partLength } = family;
  if (canBeWeighed(partLength, children.length)) {
    const parts = children.map(({ avg }) => anyMinutes(avg, partLength));
    return fitAverage(parent.avg, parts, familyRounding(family, evidence));
  }
  return isOfWholeParts(family, whole) ? 'misses' : 'open';
}

/** Returns whether every minute of every part was observed, so that the longer candle must be their mean. */
export function isOfWholeParts(family: Family, whole: ReadonlySet<string>): boolean {
  return family.children.every((child) => whole.has(nameCandle(family, child.start, family.partLength)));
}

/** Returns whether the pool lacks minutes elsewhere: a longer candle contains all its parts, but weighs them unequally. */
export function lacksMinutes(pool: string, evidence: Evidence): boolean {
  const families = evidence.families().filter(({ answer }) => poolKey(answer) === pool);
  const off = families.filter((family) => isTelling(family) && missedShare(family) > meanOff.undecided);
  if (off.length === 0 || findFormula(off, meanOff.undecided) !== undefined) return false;
  const whole = findWholeCandles(families);
  return off
    .filter((family) => matchesPrices(family.parent, family.children) && expectedVolume(family) === undefined)
    .slice(0, maxWeighed)
    .some((family) => fitOfMinutes(family, whole, evidence) !== 'misses');
}

/** Formulas that others use for a candle's average, as a reader would write them. */
const formulas: Readonly<Record<string, (family: Family) => number>> = {
  '(high + low) / 2': ({ parent }) => meanValue([parent.high, parent.low]),
  '(high + low + close) / 3': ({ parent }) => meanValue([parent.high, parent.low, parent.close]),
  '(open + close) / 2': ({ parent }) => meanValue([parent.open, parent.close]),
  '(open + high + low + close) / 4': ({ parent: { open, high, low, close } }) =>
    meanValue([open, high, low, close]),
  close: ({ parent }) => parent.close,
  'the mean of its parts by volume': ({ children }) => {
    const volume = children.reduce((sum, child) => sum + readVolume(child), 0);
    return children.reduce((sum, child) => sum + child.avg * readVolume(child), 0) / volume;
  },
};

function readVolume(candle: Candle): number {
  return toNumber(readAmount(candle, 'volume') ?? zero);
}

/** Returns the mean of some numbers. */
export function meanValue(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Returns the plain mean of the candles' averages; a loop without lists, since it runs for every family. */
export function meanAverage(candles: readonly Candle[]): number {
  let total = 0;
  for (let at = 0; at < candles.length; at++) total += (candles[at] as Candle).avg;
  return total / candles.length;
}

/** Returns the formula that gives most of these families' averages, within this share of their ranges. */
export function findFormula(families: readonly Family[], share: number): string | undefined {
  const found = Object.entries(formulas).find(([, averageOf]) => {
    const reported = families.filter(
      (family) =>
        Math.abs(family.parent.avg - averageOf(family)) <= share * (family.parent.high - family.parent.low),
    );
    return 2 * reported.length > families.length;
  });
  return found?.[0];
}
