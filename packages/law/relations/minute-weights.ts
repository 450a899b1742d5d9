import { hour, minute } from '@candleproof/document/spec/interval';
import { doubleSums } from '../reading/tolerances.ts';

/** A candle within a longer one: its average, and how many of its minutes may have been observed. */
export type WeightedPart = { readonly avg: number; readonly fewest: number; readonly most: number };

/**
 * The result of a test whether an average is the mean of its parts, weighted by their observed minutes. `fits`: with
 * these whole numbers, and hardly by chance. `misses`: with none. `open`: the numbers are too many or too coarse.
 */
export type Fit = 'fits' | 'misses' | 'open';

/** Sums of one half of the parts at most: twelve times five minutes make 5^6. */
const mostSums = 20_000;

/** Numbers of minutes that may fit by chance for a fit to mean something. */
const mostChance = 0.05;

/** Every minute of a candle of this length (seconds) may be missing but one. */
export function anyMinutes(avg: number, length: number): WeightedPart {
  return { avg, fewest: 1, most: length / minute };
}

/** Returns whether there are few enough ways to weigh this many parts of this length (seconds). */
export function canBeWeighed(length: number, count: number): boolean {
  return length === 5 * minute && count <= hour / length;
}

/** `rounding`: what its text may have moved each average by, as a share of it. */
export function fitAverage(avg: number, parts: readonly WeightedPart[], rounding: number): Fit {
  const ways = (some: readonly WeightedPart[]): number =>
    some.reduce((product, { fewest, most }) => product * (most - fewest + 1), 1);
  const free = parts.filter(({ fewest, most }) => fewest < most);
  const half = free.length >> 1;
  const halves = [free.slice(0, half), free.slice(half)];
  if (halves.some((halve) => ways(halve) > mostSums)) return 'open';
  const fixed = parts.filter((part) => !free.includes(part));
  const base = fixed.reduce((sum, part) => sum + part.most * (part.avg - avg), 0);
  const [some, others] = halves.map((halve) => sumWeights(halve, avg, halve === halves[0] ? base : 0));
  const minutes = parts.reduce((sum, { most }) => sum + most, 0);
  const slack = minutes * avg * (2 * rounding + doubleSums);
  if (!some || !others || !(nearestToZero(some, others) <= slack)) return 'misses';
  const spread = Math.sqrt(free.reduce((sum, part) => sum + variance(part, avg), 0));
  const expected = (ways(free) * 2 * slack) / (Math.sqrt(2 * Math.PI) * spread);
  return expected <= mostChance || free.length === 0 ? 'fits' : 'open';
}

/** Returns the variance of a part's share of the sum if every number of its minutes were equally likely. */
function variance({ avg: partAvg, fewest, most }: WeightedPart, avg: number): number {
  return ((partAvg - avg) ** 2 * ((most - fewest + 1) ** 2 - 1)) / 12;
}

/** Returns by how much the parts pull a mean away from `avg`, for each choice of their minutes, ascending. */
function sumWeights(parts: readonly WeightedPart[], avg: number, base: number): Float64Array {
  let sums = new Float64Array([base]);
  for (const { avg: partAvg, fewest, most } of parts) {
    const longer = new Float64Array(sums.length * (most - fewest + 1));
    let at = 0;
    for (const sum of sums)
      for (let count = fewest; count <= most; count++) longer[at++] = sum + count * (partAvg - avg);
    sums = longer;
  }
  return sums.sort();
}

/** Returns the smallest distance from zero of a sum of one number of each, by a walk from both ends. */
function nearestToZero(some: Float64Array, others: Float64Array): number {
  let nearest = Number.POSITIVE_INFINITY;
  let low = 0;
  let high = others.length - 1;
  while (low < some.length && high >= 0) {
    const sum = (some[low] as number) + (others[high] as number);
    nearest = Math.min(nearest, Math.abs(sum));
    if (sum > 0) high--;
    else low++;
  }
  return nearest;
}
