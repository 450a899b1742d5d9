import type { Candle } from '../reading/candle.ts';
import type { HistoryAnswer } from '../reading/reading.ts';
import { intervalLength, isClosed, isInverted, isSameRange, isSameRequest, poolKey } from './series.ts';

/** The closed candles of one pool, side and interval in the order of time, from all answers that hold some. */
export type Timeline = {
  readonly pool: string;
  readonly inverted: boolean;
  /** Length of its interval in seconds. */
  readonly length: number;
  /** Each interval once, as the first answer reports it. */
  readonly candles: readonly Candle[];
  /** In the order of the requests. */
  readonly answers: readonly HistoryAnswer[];
};

/** Joins the answers of every pool, side and interval to a timeline. */
export function timelines(histories: readonly HistoryAnswer[]): Timeline[] {
  const series = Map.groupBy(
    histories,
    (history) => `${poolKey(history)} ${intervalLength(history)} ${isInverted(history)}`,
  );
  return [...series.values()].flatMap((all) => {
    const answers = all.filter((historyAnswer) => !isReworded(historyAnswer, all));
    const [first] = answers;
    if (!first) return [];
    const candles = mergeTimeline(answers.map(closedCandles));
    return [
      { pool: poolKey(first), inverted: isInverted(first), length: intervalLength(first), candles, answers },
    ];
  });
}

/**
 * An answer to the question of an earlier one in other words: a default spelt out, parameters in another order. It
 * is compared with that one alone, by the rule of those words.
 */
function isReworded(answer: HistoryAnswer, answers: readonly HistoryAnswer[]): boolean {
  if (!answer.requested.proper) return false;
  const first = answers.find(
    (historyAnswer) =>
      historyAnswer.requested.proper &&
      isSameRange(historyAnswer, answer) &&
      historyAnswer.requested.inverted !== false,
  );
  if (first !== undefined) return first !== answer && !isSameRequest(first, answer);
  return answers.some((other) => other.requested.inverted !== false && isNearRange(other, answer));
}

/** Returns whether two proper ranges differ by less than an interval at each edge, as those up to now do. */
function isNearRange({ requested: one }: HistoryAnswer, { requested: other }: HistoryAnswer): boolean {
  return (
    one.proper && Math.abs(one.from - other.from) < one.length && Math.abs(one.to - other.to) < one.length
  );
}

/** An answer's closed candles in the order of time. */
export function closedCandles(answer: HistoryAnswer): readonly Candle[] {
  const { nowWithin, inTime } = answer;
  if (nowWithin === undefined && inTime[0]?.closed === undefined) return [];
  let count = inTime.length;
  while (count > 0 && !isClosed(inTime[count - 1] as Candle, answer)) count--;
  return count === inTime.length ? inTime : inTime.slice(0, count);
}

function mergeTimeline(answered: readonly (readonly Candle[])[]): readonly Candle[] {
  const parts = withoutRepeated(answered);
  const all = parts.length === 1 ? (parts[0] ?? []) : parts.flat().sort((a, b) => a.start - b.start);
  return isRepeated(all) ? all.filter((candle, at) => candle.start !== all[at - 1]?.start) : all;
}

/** Keeps the first of several parts with the same starts, since many clients request the same range. */
function withoutRepeated(parts: readonly (readonly Candle[])[]): readonly (readonly Candle[])[] {
  const byStart = new Map<number | undefined, readonly Candle[]>();
  return parts.filter((part) => {
    const before = byStart.get(part[0]?.start);
    if (before?.length === part.length && part.every(({ start }, at) => start === before[at]?.start))
      return false;
    byStart.set(part[0]?.start, part);
    return true;
  });
}

function isRepeated(candles: readonly Candle[]): boolean {
  for (let at = 1; at < candles.length; at++) {
    if ((candles[at] as Candle).start === (candles[at - 1] as Candle).start) return true;
  }
  return false;
}

/** Position of the first row that starts at this second or later. */
export function firstIndexFrom(rows: readonly { readonly start: number }[], seconds: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as (typeof rows)[number]).start < seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}
