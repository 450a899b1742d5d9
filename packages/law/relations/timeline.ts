import { intervalPhase } from '@candleproof/document/spec/interval';
import { operationById } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Candle } from '../reading/candle.ts';
import type { HistoryAnswer } from '../reading/reading.ts';
import { settlingSeconds } from '../reading/tolerances.ts';
import type { Conventions } from './conventions.ts';
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

/** The most intervals that are checked in one answer; of a longer range, the newest. */
export const maxIntervals = 200_000;

/** Lists the required starts: from the first to the last, one length apart. */
export type ExpectedStarts = { readonly first: number; readonly last: number; readonly length: number };

/**
 * Returns the required starts, with those at an edge that the document declares inclusive; undefined if the evidence does
 * not show them, or if no interval is wholly inside. They are on any grid if no candle of the length shows it.
 */
export function wantedStarts(
  answer: Pick<HistoryAnswer, 'requested' | 'nowWithin'>,
  { conventions, spec }: { readonly conventions: Conventions; readonly spec?: Spec },
  alive = conventions.alive.get(poolKey(answer)),
): ExpectedStarts | undefined {
  const { length } = answer.requested;
  const phase = conventions.phase.get(length);
  if (alive === undefined || answer.nowWithin === undefined) return undefined;
  const { from, to } = answer.requested;
  const edges = spec === undefined ? [] : operationById(spec, answer.requested.operation).parameters;
  const isHeld = (role: 'from' | 'to'): boolean =>
    edges.some((parameter) => parameter.role === role && parameter.edge === 'inclusive');
  const range = {
    from: Math.max(isHeld('from') ? from - 1 : from, to - maxIntervals * length - 1),
    to: isHeld('to') ? to + length + 1 : to,
  };
  return startsWithin(range, { length, phase, alive, now: answer.nowWithin.from });
}

/** The grid of a pool's intervals, its life and the time, in Unix seconds; the phase is undefined if nothing shows it. */
type Grid = Readonly<Record<'length' | 'alive' | 'now', number>> & { readonly phase: number | undefined };

/** Lists the starts strictly inside a range whose intervals are over at `now` and within the pool's life. */
export function startsWithin(
  { from, to }: { readonly from: number; readonly to: number },
  { length, phase: shown, alive, now }: Grid,
): ExpectedStarts | undefined {
  const earliest = Math.max(from + 1, alive);
  const latest = Math.min(to - 1, now - settlingSeconds) - length;
  // As many seconds as an interval has hold the start of one, whatever the phase.
  if (shown === undefined && latest - earliest < length) return undefined;
  const phase = shown ?? 0;
  const first = earliest + intervalPhase(phase - earliest, length);
  const last = latest - intervalPhase(latest - phase, length);
  return first <= last ? { first, last, length } : undefined;
}

/** Returns the required starts that rows in order of time lack, by a walk along both: there may be hundreds of thousands. */
export function missingStarts(
  rows: readonly { readonly start: number }[],
  { first, last, length }: ExpectedStarts,
): number[] {
  const missing: number[] = [];
  let at = firstIndexFrom(rows, first);
  for (let start = first; start <= last; start += length) {
    while ((rows[at]?.start ?? last) < start) at++;
    if (rows[at]?.start !== start) missing.push(start);
  }
  return missing;
}
