import type { Candle } from '../reading/candle.ts';
import { measurePrecision, type Precision, roundingShare } from '../reading/precision.ts';
import type { CandleAnswer, HistoryAnswer } from '../reading/reading.ts';
import { maxBy, median } from '../reading/statistics.ts';
import { arithmetic } from '../reading/tolerances.ts';
import { hasClock, isInverted, isSameRange, isSameSeries, poolKey, snapshots } from './series.ts';
import { closedCandles, type Timeline } from './timeline.ts';

/** The same candle on both sides. */
export type CandlePair = { readonly plain: Candle; readonly inverted: Candle };

/** A plain and an inverted answer of one series, and their candles of the same state of the market. */
export type Twins = {
  readonly plain: CandleAnswer;
  readonly inverted: CandleAnswer;
  readonly candles: readonly CandlePair[];
  readonly pool: string;
  readonly precision: { readonly plain: Precision; readonly inverted: Precision };
};

/** Returns the plain and inverted answers to one proper range; of several plain ones, the last. */
export function twins(
  histories: readonly HistoryAnswer[],
  lines: readonly Timeline[],
  latest: readonly CandleAnswer[],
): Twins[] {
  const plains = lines.flatMap((line) => (line.inverted ? [] : line.answers)).toReversed();
  const sides = [...plains, ...histories.filter(isInverted)].filter(({ requested }) => requested.proper);
  const pairs = pairAnswers(sides, latest, (answer) => !isInverted(answer), isInverted);
  return pairs.map(({ one, other, candles }) =>
    makeTwins(
      one,
      other,
      candles.map(([plain, inverted]) => ({ plain, inverted })),
    ),
  );
}

/** Two answers whose requests differ in one parameter, and their candles of the same state of the market. */
export type AnswerPair = {
  readonly one: CandleAnswer;
  readonly other: CandleAnswer;
  readonly candles: readonly (readonly [Candle, Candle])[];
};

type Side = (answer: CandleAnswer) => boolean;

/**
 * Pairs each answer of one side with the first of the other for the same series and range. Histories are joined on closed
 * candles, latest candles within a snapshot.
 */
export function pairAnswers(
  histories: readonly HistoryAnswer[],
  latest: readonly CandleAnswer[],
  isOne: Side,
  isOther: Side,
): AnswerPair[] {
  const clocked = histories.filter(hasClock);
  const ones = clocked.filter(isOne);
  const found = clocked.filter(isOther).flatMap((other): AnswerPair[] => {
    const one = ones.find((answer) => isSameSeries(answer, other) && isSameRange(answer, other));
    return one ? [{ one, other, candles: joinClosed(one, other) }] : [];
  });
  for (const snapshot of snapshots(latest)) {
    for (const other of snapshot.filter(isOther)) {
      const one = snapshot.find((answer) => isOne(answer) && isSameSeries(answer, other));
      const [candle, otherCandle] = [one?.candles[0], other.candles[0]];
      if (one && candle && otherCandle) found.push({ one, other, candles: [[candle, otherCandle]] });
    }
  }
  return found;
}

/** Returns closed candles of both that start together, by a walk along both: there may be hundreds of thousands. */
export function joinClosed(one: HistoryAnswer, other: HistoryAnswer): [Candle, Candle][] {
  const pairs: [Candle, Candle][] = [];
  const [candles, others] = [closedCandles(one), closedCandles(other)];
  let next = 0;
  for (let at = 0; at < candles.length; at++) {
    const candle = candles[at] as Candle;
    while (next < others.length && (others[next] as Candle).start < candle.start) next++;
    const partner = others[next];
    if (partner?.start === candle.start) pairs.push([candle, partner]);
  }
  return pairs;
}

function makeTwins(plain: CandleAnswer, inverted: CandleAnswer, candles: readonly CandlePair[]): Twins {
  const precision = {
    plain: measurePrecision(listPrices(candles, 'plain')),
    inverted: measurePrecision(listPrices(candles, 'inverted')),
  };
  return { plain, inverted, candles, pool: poolKey(plain), precision };
}

function* listPrices(candles: readonly CandlePair[], side: keyof CandlePair): Generator<number> {
  for (const pair of candles) {
    const { open, high, low, close } = pair[side];
    for (const price of [open, high, low, close]) if (!Number.isNaN(price)) yield price;
  }
}

/** Returns the share by which rounding on both sides may have moved a product. */
export function pricesReturned({ precision }: Twins, plain: Candle, inverted: Candle): number {
  return roundingShare(plain.close, precision.plain) + roundingShare(inverted.close, precision.inverted);
}

export type TimeRange = { readonly from: number; readonly to: number };

/**
 * The constant K of each pool, as the range that the median of all products allows. "Inverts" leaves its value
 * open: 1 for plain rates, a power of ten if both sides are scaled.
 */
export function constants(all: readonly Twins[]): Map<string, TimeRange> {
  const found = new Map<string, TimeRange>();
  for (const [pool, pairs] of Map.groupBy(all, (pair) => pair.pool)) {
    const constant = findConstant(pairs);
    if (constant) found.set(pool, constant);
  }
  return found;
}

function findConstant(pairs: readonly Twins[]): TimeRange | undefined {
  const products = new Float64Array(2 * pairs.reduce((count, { candles }) => count + candles.length, 0));
  let count = 0;
  let share = 0;
  for (const pair of pairs) {
    count = addProducts(pair.candles, products, count);
    const returned = maxBy(pair.candles, ({ plain, inverted }) => pricesReturned(pair, plain, inverted) || 0);
    share = Math.max(share, returned);
  }
  if (count === 0) return undefined;
  const middle = median(products.subarray(0, count));
  const width = 2 * (share + arithmetic);
  return { from: middle * (1 - width), to: middle * (1 + width) };
}

/** Adds products after the first `count`; returns the new count. A plain loop: there may be hundreds of thousands. */
function addProducts(candles: readonly CandlePair[], products: Float64Array, count: number): number {
  let next = count;
  for (let at = 0; at < candles.length; at++) {
    const { plain, inverted } = candles[at] as CandlePair;
    const opens = plain.open * inverted.open;
    const closes = plain.close * inverted.close;
    if (opens > 0 && opens < Number.POSITIVE_INFINITY) products[next++] = opens;
    if (closes > 0 && closes < Number.POSITIVE_INFINITY) products[next++] = closes;
  }
  return next;
}
