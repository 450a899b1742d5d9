import { type Candle, hasSoundAverage, hasSoundExtremes } from './candle.ts';
import { largest } from './largest.ts';
import type { HistoryAnswer } from './reading.ts';
import { isInverted, lengthOf, poolOf } from './series.ts';
import { closedIn, type Timeline } from './timeline.ts';

/** A closed candle with the closed candles of the next shorter interval that make it up without a gap. */
export type Family = {
  readonly parent: Candle;
  readonly children: readonly Candle[];
  /** Seconds that each of them is long. */
  readonly partLength: number;
  readonly answer: HistoryAnswer;
  /** No candle of the family contradicts its own extremes, or has an average outside of them. */
  readonly hasSoundExtremes: boolean;
  readonly hasSoundAverages: boolean;
  /**
   * Each part opens where the one before closed: the target may count the observation between them in both, which
   * the document leaves open, and then a mean of the whole need not be a mean of the parts.
   */
  readonly sharesBoundaries: boolean;
};

/**
 * Families of every pool, plain and inverted, over each pair of neighbouring intervals that was asked for. A
 * parent whose children do not tile it is left out: completeness is another rule's matter.
 */
export function families(histories: readonly HistoryAnswer[], lines: readonly Timeline[]): Family[] {
  return histories.flatMap((answer) => {
    const shorter = shorterLine(answer, lines);
    return shorter ? familiesIn(answer, shorter) : [];
  });
}

/** The same pool and side in the longest interval below the answer's. */
export function shorterLine(answer: HistoryAnswer, lines: readonly Timeline[]): Timeline | undefined {
  const shorter = lines.filter(
    (each) =>
      each.pool === poolOf(answer) &&
      each.inverted === isInverted(answer) &&
      each.length < lengthOf(answer) &&
      each.candles.length > 0,
  );
  const longest = largest(shorter.map((each) => each.length));
  return shorter.find((each) => each.length === longest);
}

function familiesIn(answer: HistoryAnswer, { candles, length }: Timeline): Family[] {
  const count = lengthOf(answer) / length;
  const found: Family[] = [];
  let at = 0;
  for (const parent of closedIn(answer)) {
    while (at < candles.length && (candles[at]?.start ?? 0) < parent.start) at++;
    if (isTiled(candles, at, parent.start, length, count))
      found.push(makeFamily(parent, candles.slice(at, at + count), length, answer));
  }
  return found;
}

function isTiled(candles: readonly Candle[], at: number, start: number, length: number, count: number) {
  for (let part = 0; part < count; part++)
    if (candles[at + part]?.start !== start + part * length) return false;
  return true;
}

function makeFamily(
  parent: Candle,
  children: readonly Candle[],
  partLength: number,
  answer: HistoryAnswer,
): Family {
  return {
    parent,
    children,
    partLength,
    answer,
    hasSoundExtremes: hasSoundExtremes(parent) && children.every(hasSoundExtremes),
    hasSoundAverages: hasSoundAverage(parent) && children.every(hasSoundAverage),
    sharesBoundaries: children.every((each, at) => at === 0 || each.open === children[at - 1]?.close),
  };
}
