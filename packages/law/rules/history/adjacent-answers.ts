import { intervalPhase, stamp } from '@candleproof/document/spec/interval';
import { operationById } from '@candleproof/document/spec/operation';
import type { OperationId, Spec } from '@candleproof/document/spec/spec';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { settlingSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { closedCandles, firstIndexFrom, type Timeline } from '../../relations/timeline.ts';
import type { Breach } from '../breach.ts';
import { closedWeekHours, weekAndThoseBefore } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { candlesAroundGap, listMissing } from './missing-rows.ts';

/** Two answers of one series, the second beginning at the boundary where the first ends. */
type AdjacentAnswers = { readonly before: HistoryAnswer; readonly after: HistoryAnswer };

/**
 * Finds candles lost where one answer ends and the next begins. However edges are interpreted, a candle beside it that is otherwise inside one of the
 * ranges belongs to one of them. Only a candle that is known to exist can be missing.
 */
function* checkAdjacentAnswers({
  timelines,
  conventions,
  spec,
  histories,
}: Evidence): Generator<CheckOutcome> {
  const lines = timelines();
  for (const line of lines) {
    const { length } = line;
    const phase = conventions.phase.get(length);
    for (const adjacent of listAdjacentAnswers(line).filter(({ after }) =>
      isBoundary(after.requested.from, length, phase),
    )) {
      const starts = startsBesideBoundary(adjacent, length).filter((start) => isThere(start, line, lines));
      if (starts.length === 0) continue;
      if (leavesOutEdges(adjacent.after.requested.operation, spec, histories)) {
        yield { undecided: 'no range holds a row that starts at either end; x-edge: exclusive would say so' };
        continue;
      }
      yield { judged: adjacent.before };
      yield { judged: adjacent.after };
      const lost = starts.filter((start) => !holds(adjacent.before, start) && !holds(adjacent.after, start));
      if (lost.length > 0) yield { breach: findLost(adjacent, lost) };
    }
  }
}

/** Returns whether no answer shows a row at an end of its range, in an API whose document does not say whether there is one. */
function leavesOutEdges(id: OperationId, spec: Spec, histories: readonly HistoryAnswer[]): boolean {
  const from = operationById(spec, id).parameters.find(({ role }) => role === 'from');
  if (spec.isOurs || from?.edge !== undefined) return false;
  return histories.every(
    ({ requested, inTime }) =>
      requested.operation !== id ||
      requested.openRange ||
      (inTime[0]?.start !== requested.from && inTime.at(-1)?.start !== requested.to),
  );
}

function listAdjacentAnswers({ answers }: Timeline): AdjacentAnswers[] {
  const wide = answers.filter(({ requested }) => requested.proper && requested.from < requested.to);
  const ending = Map.groupBy(wide, ({ requested }) => requested.to);
  return wide.flatMap((after) =>
    (ending.get(after.requested.from) ?? []).map((before) => ({ before, after })),
  );
}

function isBoundary(seconds: number, length: number, phase: number | undefined): boolean {
  return phase !== undefined && intervalPhase(seconds - phase, length) === 0;
}

/** Lists the starts of the candles on both sides, if they are over and well inside their range otherwise. */
function startsBesideBoundary({ before, after }: AdjacentAnswers, length: number): number[] {
  const boundary = after.requested.from;
  const now = Math.min(before.serverNow ?? 0, after.serverNow ?? 0) - settlingSeconds;
  return [
    ...(boundary - length > before.requested.from ? [boundary - length] : []),
    ...(boundary + length < after.requested.to ? [boundary] : []),
  ].filter((start) => start + length <= now);
}

/** Returns whether another answer has the candle, or a shorter interval has one inside it. */
export function isThere(start: number, line: Timeline, lines: readonly Timeline[]): boolean {
  return lines.some(({ pool, inverted, length, candles }) => {
    if (pool !== line.pool || inverted !== line.inverted || length > line.length) return false;
    const first = candles[firstIndexFrom(candles, start)]?.start ?? Number.POSITIVE_INFINITY;
    return length === line.length ? first === start : first < start + line.length;
  });
}

function holds(answer: HistoryAnswer, start: number): boolean {
  const closed = closedCandles(answer);
  return closed[firstIndexFrom(closed, start)]?.start === start;
}

function findLost({ before, after }: AdjacentAnswers, lost: readonly number[]): Breach {
  const boundary = after.requested.from;
  const answer = lost.includes(boundary) ? after : before;
  const expected = `the candles beside ${stamp(boundary)} in the range that ends or in the one that begins there`;
  return {
    answer,
    pointer: '',
    expected,
    actual: listMissing(lost),
    candles: candlesAroundGap(answer, lost[0] ?? boundary),
  };
}

export const adjacentAnswerRules: readonly Rule[] = [
  {
    id: 'history/adjoining-ranges-lose-nothing',
    shows: 'missing',
    section: '4.2',
    level: 'should',
    statement:
      'Where one range ends and another begins, one of them contains the candles beside that boundary.',
    broken: 'Candles are lost between adjoining ranges',
    why: 'Long histories are fetched range by range: where both edges are excluded, candles are missing at every boundary.',
    exactly:
      'for ranges [a, b] and [b, c] of one series, b on a boundary: the candle that ends at b, where it begins after a, and the one that begins at b, where it ends before c, are in one of the two answers. Every usual interpretation of the edges satisfies it, including half-open ranges. Only candles that another answer or a shorter interval proves are expected.',
    restsOn: ['from', 'to'],
    needs: [...weekAndThoseBefore, closedWeekHours],
    check: checkAdjacentAnswers,
  },
];
