import { intervalPhase } from '@candleproof/document/spec/interval';
import type { Candle } from '../reading/candle.ts';
import { type HistoryAnswer, hasEveryStart } from '../reading/reading.ts';
import { settlingSeconds } from '../reading/tolerances.ts';
import type { Conventions } from './conventions.ts';
import { isSameRange, isSameValue } from './series.ts';
import { closedCandles, firstIndexFrom, type Timeline } from './timeline.ts';

/** A closed candle that an answer reports differently from an earlier one. */
export type Changed = {
  readonly answer: HistoryAnswer;
  readonly candle: Candle;
  readonly field: string;
  readonly before: { readonly answer: HistoryAnswer; readonly candle: Candle };
};

/** Closed candles strictly inside an answer's range that it lacks, though other answers hold them. */
export type LostCandles = {
  readonly answer: HistoryAnswer;
  readonly candles: readonly Candle[];
  /** The answers that hold the first of them. */
  readonly shownBy: readonly HistoryAnswer[];
};

/**
 * The way of losing a candle: in an answer whose range is wider than one that holds it, in a part of such a range,
 * or from one of several answers to the same range, which completeness sees alone.
 */
export type Loss = 'wider' | 'part' | 'same';

/** Returns the way in which candles were lost. */
export function classifyLoss({ answer, shownBy }: LostCandles): Loss {
  if (shownBy.some((historyAnswer) => isInside(historyAnswer, answer))) return 'wider';
  return shownBy.every((historyAnswer) => isSameRange(historyAnswer, answer)) ? 'same' : 'part';
}

/** The range of the first lies inside that of the second, and is another. */
export function isInside(inner: HistoryAnswer, outer: HistoryAnswer): boolean {
  const { from, to } = outer.requested;
  return inner.requested.from >= from && inner.requested.to <= to && !isSameRange(inner, outer);
}

/** The comparison of answers to one series whose ranges overlap. */
export type Overlaps = {
  /** Answers that repeat a candle of an earlier answer, or lack it. */
  readonly compared: ReadonlySet<HistoryAnswer>;
  readonly changed: readonly Changed[];
  readonly lost: readonly LostCandles[];
};

type Compared = {
  readonly changed: [earlier: Candle, candle: Candle, field: string][];
  readonly lost: Candle[];
};

/** Compares each answer with what all answers to its series hold together, field by field of the document. */
export function overlaps(
  lines: readonly Timeline[],
  { phase }: Conventions,
  fields: readonly string[],
): Overlaps {
  const found = { compared: new Set<HistoryAnswer>(), changed: [] as Changed[], lost: [] as LostCandles[] };
  for (const line of lines.filter(({ answers }) => answers.length > 1)) {
    const differing = compareFields(fields);
    for (const answer of line.answers) {
      const { isCompared, changed, lost } = compare(answer, line, differing);
      const missed = lost.filter(
        ({ start }) =>
          answer.requested.proper && intervalPhase(start, line.length) === phase.get(answer.requested.length),
      );
      if (isCompared || missed.length > 0) found.compared.add(answer);
      for (const [earlier, candle, field] of changed) {
        const before = { answer: holders(line, earlier.start)[0] ?? answer, candle: earlier };
        found.changed.push({ answer, candle, field, before });
      }
      const [first] = missed;
      if (first) found.lost.push({ answer, candles: missed, shownBy: holders(line, first.start) });
    }
  }
  return found;
}

/** The answers that hold the closed candle of this start. */
function holders({ answers }: Timeline, start: number): HistoryAnswer[] {
  return answers.filter((answer) => {
    const closed = closedCandles(answer);
    return closed[firstIndexFrom(closed, start)]?.start === start;
  });
}

type Differing = (one: Candle, other: Candle) => string | undefined;

/** The first of these fields in which two candles differ. */
export function compareFields(fields: readonly string[]): Differing {
  return ({ record: one }, { record: other }) =>
    fields.find((field) => one[field] !== other[field] && !isSameValue(one[field], other[field]));
}

/** A walk along both; plain, as a range may hold hundreds of thousands of candles. */
function compare(answer: HistoryAnswer, { candles, length }: Timeline, differing: Differing) {
  const closed = closedCandles(answer);
  const reported: Compared & { isCompared: boolean } = { isCompared: false, changed: [], lost: [] };
  const { from, to } = answer.requested;
  const newest = Math.min(to - 1, (answer.nowWithin?.from ?? 0) - settlingSeconds) - length;
  const last = Math.max(newest, closed.at(-1)?.start ?? 0);
  const isReadable = hasEveryStart(answer);
  let next = 0;
  for (
    let at = firstIndexFrom(candles, Math.min(from + 1, closed[0]?.start ?? from + 1));
    at < candles.length;
    at++
  ) {
    const candle = candles[at] as Candle;
    if (candle.start > last) break;
    while (next < closed.length && (closed[next] as Candle).start < candle.start) next++;
    const mine = closed[next];
    if (mine?.start === candle.start) {
      if (mine === candle) continue;
      reported.isCompared = true;
      const field = differing(candle, mine);
      if (field !== undefined) reported.changed.push([candle, mine, field]);
    } else if (isReadable && candle.start > from && candle.start <= newest) reported.lost.push(candle);
  }
  return reported;
}
