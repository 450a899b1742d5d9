import type { Spec } from '@candleproof/document/spec/spec';
import type { Candle } from '../reading/candle.ts';
import type { CandleAnswer, HistoryAnswer } from '../reading/reading.ts';
import { maxBy } from '../reading/statistics.ts';
import { measurePrecision, type Precision } from '../reading/tolerances.ts';
import {
  hasClock,
  intervalLength,
  isInverted,
  isSameRange,
  isSameSeries,
  marketKey,
  poolKey,
  snapshots,
} from './series.ts';
import { closedCandles, firstIndexFrom, type Timeline } from './timeline.ts';

/** The same candle on both sides. */
export type CandlePair = { readonly plain: Candle; readonly inverted: Candle };

/** A plain and an inverted answer of one series, and their candles of the same state of the market. */
export type DirectionPair = {
  readonly plain: CandleAnswer;
  readonly inverted: CandleAnswer;
  readonly candles: readonly CandlePair[];
  /** The pool, whichever operation was requested for it. */
  readonly pool: string;
  readonly precision: { readonly plain: Precision; readonly inverted: Precision };
};

/** Pairs each inverted answer to a proper range with the plain one of that range, or of the widest part of it. */
export function directionPairs(
  spec: Pick<Spec, 'operations'>,
  histories: readonly HistoryAnswer[],
  lines: readonly Timeline[],
  latest: readonly CandleAnswer[],
): DirectionPair[] {
  const plains = lines.flatMap((line) => (line.inverted ? [] : line.answers)).toReversed();
  const sides = [...plains, ...histories.filter(isInverted)].filter(({ requested }) => requested.proper);
  const pairs = pairAnswers(sides, latest, (answer) => !isInverted(answer), isInverted);
  return pairs.map(({ one, other, candles }) =>
    makePair(
      spec,
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
 * Pairs each answer of one side with one of the other for the same series: the first one for the same range, or else the one
 * whose range overlaps most, since ranges up to now differ by the seconds between two requests. Histories are joined on closed
 * candles, latest candles within a snapshot.
 */
export function pairAnswers(
  histories: readonly HistoryAnswer[],
  latest: readonly CandleAnswer[],
  isOne: Side,
  isOther: Side,
): AnswerPair[] {
  const clocked = histories.filter(hasClock);
  const ones = Map.groupBy(clocked.filter(isOne), seriesKey);
  const found = clocked.filter(isOther).flatMap((other): AnswerPair[] => {
    const one = findPartner(other, ones.get(seriesKey(other)) ?? []);
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

function seriesKey(answer: CandleAnswer): string {
  return `${poolKey(answer)} ${answer.requested.interval}`;
}

/** Returns the answer to the same range, else the one with the most seconds of it in which either shows a closed candle. */
function findPartner(other: HistoryAnswer, ones: readonly HistoryAnswer[]): HistoryAnswer | undefined {
  const same = ones.find((one) => isSameRange(one, other));
  if (same) return same;
  const overlapping = ones.filter((one) => holdsClosed(one, other) || holdsClosed(other, one));
  const widest = maxBy(overlapping, (one) => overlapSeconds(one, other));
  return overlapping.find((one) => overlapSeconds(one, other) === widest);
}

function overlapSeconds(one: HistoryAnswer, other: HistoryAnswer): number {
  const { from, to } = sharedRange(one, other);
  return to - from;
}

function holdsClosed(one: HistoryAnswer, other: HistoryAnswer): boolean {
  return closedWithin(one, sharedRange(one, other)).length > 0;
}

/** Returns the part of the time that both ranges hold, in Unix seconds; it ends before it begins if they do not meet. */
export function sharedRange(one: HistoryAnswer, other: HistoryAnswer): SharedRange {
  const [a, b] = [one.requested, other.requested];
  return { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) };
}

export type SharedRange = { readonly from: number; readonly to: number };

/** Returns the closed candles strictly inside a range: they belong to it however its edges are read. */
export function closedWithin(answer: HistoryAnswer, { from, to }: SharedRange): readonly Candle[] {
  const closed = closedCandles(answer);
  return closed.slice(firstIndexFrom(closed, from + 1), firstIndexFrom(closed, to - intervalLength(answer)));
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

function makePair(
  spec: Pick<Spec, 'operations'>,
  plain: CandleAnswer,
  inverted: CandleAnswer,
  candles: readonly CandlePair[],
): DirectionPair {
  const precision = {
    plain: measurePrecision(listPrices(candles, 'plain')),
    inverted: measurePrecision(listPrices(candles, 'inverted')),
  };
  return { plain, inverted, candles, pool: marketKey(spec, plain), precision };
}

function* listPrices(candles: readonly CandlePair[], side: keyof CandlePair): Generator<number> {
  for (const pair of candles) {
    const { open, high, low, close } = pair[side];
    for (const price of [open, high, low, close]) if (!Number.isNaN(price)) yield price;
  }
}
