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

/** Histories are joined on closed candles, latest candles within a snapshot. */
export function twins(
  histories: readonly HistoryAnswer[],
  lines: readonly Timeline[],
  latest: readonly CandleAnswer[],
): Twins[] {
  const plains = lines.filter((line) => !line.inverted).flatMap((line) => line.answers);
  const clocked = histories.filter((history) => isInverted(history) && hasClock(history));
  const found = clocked.flatMap((inverted) => {
    const plain = plains.findLast(
      (historyAnswer) =>
        hasClock(historyAnswer) &&
        isSameSeries(historyAnswer, inverted) &&
        isSameRange(historyAnswer, inverted),
    );
    return plain ? [makeTwins(plain, inverted, joinedInTime(plain, inverted))] : [];
  });
  for (const snapshot of snapshots(latest)) {
    for (const inverted of snapshot.filter(isInverted)) {
      const plain = snapshot.find(
        (candleAnswer) => isSameSeries(candleAnswer, inverted) && !isInverted(candleAnswer),
      );
      const [one] = plain?.candles ?? [];
      const [other] = inverted.candles;
      if (plain && one && other) found.push(makeTwins(plain, inverted, [{ plain: one, inverted: other }]));
    }
  }
  return found;
}

/** Closed candles of both that start together, by a walk along both: there may be hundreds of thousands. */
function joinedInTime(plain: HistoryAnswer, inverted: HistoryAnswer): CandlePair[] {
  const pairs: CandlePair[] = [];
  const [candles, others] = [closedCandles(plain), closedCandles(inverted)];
  let next = 0;
  for (let at = 0; at < candles.length; at++) {
    const candle = candles[at] as Candle;
    while (next < others.length && (others[next] as Candle).start < candle.start) next++;
    const other = others[next];
    if (other?.start === candle.start) pairs.push({ plain: candle, inverted: other });
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
