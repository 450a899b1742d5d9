import type { Candle } from '../candle.ts';
import { compare, distance } from '../decimal.ts';
import type { Evidence } from '../evidence.ts';
import { largestOf, smallestOf } from '../largest.ts';
import type { HistoryAnswer } from '../reading.ts';
import { isInverted, lengthOf, poolOf } from '../series.ts';
import { closedIn, firstFrom, type Timeline } from '../timeline.ts';
import { arithmetic } from '../tolerances.ts';
import { amountOf, roundingOfVolumes, sumOf } from './rollup-amounts.ts';

/**
 * Missing candles were never observed, rather than lost: each of the longer candles that hold their intervals is
 * made of what is left, to the last digit. False where no longer candle is known, or where a shorter one was observed.
 */
export function isOutage(
  answer: HistoryAnswer,
  missing: readonly number[],
  { timelines }: Evidence,
): boolean {
  const lines = timelines().filter(
    (each) => each.pool === poolOf(answer) && each.inverted === isInverted(answer),
  );
  const parents = missing.map((start) => parentOf(start + lengthOf(answer), lines));
  return [...new Set(parents)].every((each) => each !== undefined && isMadeOf(each, closedIn(answer)));
}

type Parent = { readonly candle: Candle; readonly length: number };

/** The shortest of the candles that hold the last of the time before this end. */
function parentOf(end: number, lines: readonly Timeline[]): Candle | undefined {
  const holding = lines.flatMap(({ candles, length }): Parent[] => {
    const candle = candles[firstFrom(candles, end) - 1];
    return candle && candle.start + length >= end ? [{ candle, length }] : [];
  });
  return holding.sort((a, b) => a.length - b.length)[0]?.candle;
}

/** The candles that begin within the parent make up its prices and its volume. */
export function isMadeOf(parent: Candle, candles: readonly Candle[]): boolean {
  const left = candles.slice(firstFrom(candles, parent.start), firstFrom(candles, parent.end));
  const total = sumOf(left, 'volume');
  const whole = amountOf(parent, 'volume');
  if (!total || !whole) return false;
  const mean = left.reduce((all, each) => all + each.avg, 0) / left.length;
  return (
    Math.abs(parent.avg - mean) <= arithmetic * mean &&
    parent.open === left[0]?.open &&
    parent.close === left.at(-1)?.close &&
    parent.high === largestOf(left, (each) => each.high) &&
    parent.low === smallestOf(left, (each) => each.low) &&
    compare(distance(whole, total), roundingOfVolumes(left.length, total, whole)) <= 0
  );
}
