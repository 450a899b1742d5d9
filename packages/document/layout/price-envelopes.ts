/** Share of rows in which high is the greatest and low the least of the four. */
const leastAgreeing = 0.8;

/** Share by which fewer rows may agree than with the best columns: those that are rarely wrong are no mistake. */
export const lessAgreeing = 0.05;

/**
 * Usual steps from row to row by which those of four prices differ, with a step that none of them needs: those of a volume
 * are as large as itself.
 */
const [unlikeSteps, smallStep] = [4, 0.05];

/** Times by which two prices of a row may usually differ. */
const mostApart = 16;

type Envelope = {
  readonly high: number;
  readonly low: number;
  /** The columns that lie between them in nearly every row. */
  readonly inner: readonly number[];
  readonly width: number;
  /** The least share of rows in which one of these columns lies between high and low. */
  readonly agreeing: number;
};

/** Lists pairs of columns between which two or more others lie. */
export function findEnvelopes(
  columns: readonly (readonly number[])[],
  candidates: readonly number[],
  steps: readonly number[],
): Envelope[] {
  const found: Envelope[] = [];
  const isAlike = (one: number, other: number): boolean =>
    (steps[one] ?? 0) <= unlikeSteps * (steps[other] ?? 0) + smallStep &&
    !isFarAbove(columns[one], columns[other]);
  for (const high of candidates)
    for (const low of candidates) {
      if (high === low || !isAlike(high, low) || !isAlike(low, high)) continue;
      const between = candidates
        .filter((at) => at !== high && at !== low && isAlike(at, low) && isAlike(at, high))
        .map((at) => ({ at, agreeing: share(columns[low], columns[at], columns[high]) }))
        .filter(({ agreeing }) => agreeing >= leastAgreeing)
        .toSorted((one, other) => other.agreeing - one.agreeing);
      // Two of them are the open and the close.
      const agreeing = between[1]?.agreeing;
      if (agreeing === undefined) continue;
      const inner = between.filter((column) => column.agreeing >= agreeing - lessAgreeing);
      const width = spread(columns[low], columns[high]);
      found.push({ high, low, inner: inner.map(({ at }) => at).toSorted((a, b) => a - b), width, agreeing });
    }
  return found.filter(({ width }) => Number.isFinite(width));
}

/** Returns the share of rows in which one column lies between two others, without those that tell nothing, as all three are equal. */
export function share(
  lower: readonly number[] = [],
  between: readonly number[] = [],
  upper: readonly number[] = [],
): number {
  let [readable, telling, agreeing] = [0, 0, 0];
  for (let at = 0; at < lower.length; at++) {
    const [less, value, more] = [lower[at] as number, between[at] as number, upper[at] as number];
    if (Number.isNaN(less + value + more)) continue;
    readable++;
    if (less === value && value === more) continue;
    telling++;
    if (less <= value && value <= more) agreeing++;
  }
  return telling === 0 ? Number(readable > 0) : agreeing / telling;
}

function spread(lower: readonly number[] = [], upper: readonly number[] = []): number {
  const widths = lower.flatMap((less, at) => {
    const more = upper[at] as number;
    return less > 0 && more >= less ? [Math.log(more / less)] : [];
  });
  return widths.length === 0
    ? Number.POSITIVE_INFINITY
    : widths.reduce((sum, width) => sum + width, 0) / widths.length;
}

/** Returns whether one column is usually many times another where it is above it, as a volume is of a price. */
function isFarAbove(one: readonly number[] | undefined, other: readonly number[] | undefined): boolean {
  const apart = spread(other, one);
  return Number.isFinite(apart) && apart > Math.log(mostApart);
}
