import { intervalPhase, stamp } from '@candleproof/document/spec/interval';
import { findMaxRows, operationById } from '@candleproof/document/spec/operation';
import { type HistoryAnswer, hasEveryStart } from '../../reading/reading.ts';
import { settlingSeconds } from '../../reading/tolerances.ts';
import { isPrehistoric, mayLackRows } from '../../relations/conventions.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, poolKey, requestKey } from '../../relations/series.ts';
import { firstIndexFrom } from '../../relations/timeline.ts';
import type { Breach } from '../breach.ts';
import { closedWeekInEachInterval, recentHoursOfEachPool } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { isThere } from './adjacent-answers.ts';
import { candlesAroundGap, drawGaps } from './missing-rows.ts';

/** Places of an interval at an edge of a range, worded after "rows that". */
type EdgePlace =
  | 'end at from'
  | 'contain from'
  | 'begin at from'
  | 'end at to'
  | 'contain to'
  | 'contain now';

/** One interval at an edge of an answer's range, and whether the answer holds its row. */
type EdgeRow = {
  readonly answer: HistoryAnswer;
  readonly place: EdgePlace;
  readonly start: number;
  readonly isHeld: boolean;
};

/**
 * Checks rows at edges. The document leaves open which edges belong to a range, and each interval may have a choice of its
 * own; where its answers differ, most requests of the operation decide, or half of them: a row that is shown can be.
 */
function* checkEdges(evidence: Evidence): Generator<CheckOutcome> {
  const { conventions, histories } = evidence;
  const lines = evidence.timelines();
  const rows = histories.flatMap((answer) => listEdgeRows(answer, evidence));
  const alike = Map.groupBy(rows, ({ answer, place }) => `${answer.requested.operation} ${place}`);
  for (const all of alike.values()) {
    const held = all.filter(({ isHeld }) => isHeld);
    for (const row of held) yield { judged: row.answer };
    const votes = countRequests(held);
    const voters = countRequests(all);
    if (2 * votes < voters) continue;
    const mixed = new Set(held.map(({ answer }) => intervalLength(answer)));
    for (const { answer, place, start, isHeld } of all) {
      if (isHeld || !mixed.has(intervalLength(answer))) continue;
      // An answer in other words is compared with the one in the other direction alone.
      const line = lines.find(({ answers }) => answers.includes(answer));
      const isOver = start >= (conventions.alive.get(poolKey(answer)) ?? Number.POSITIVE_INFINITY);
      // The other side's rows show what is open too, and there may be more of them.
      const others = line && place === 'contain now' ? [{ ...line, inverted: !line.inverted }] : [];
      const sides = line ? [line, ...others] : [];
      if (!isOver || !sides.some((side) => isThere(start, side, lines))) continue;
      yield { breach: findMissingEdge(answer, place, start, `${votes} of ${voters}`) };
    }
  }
}

/** Counts the requests whose answers show rows; one that is sent again decides no more than another. */
function countRequests(rows: readonly EdgeRow[]): number {
  return new Set(rows.map(({ answer }) => requestKey(answer))).size;
}

function findMissingEdge(answer: HistoryAnswer, place: EdgePlace, start: number, share: string): Breach {
  return {
    answer,
    pointer: '',
    expected: `the row from ${stamp(start)}: ${share} answers hold rows that ${place}`,
    actual: 'no such row, though another answer or a shorter interval shows it',
    candles: candlesAroundGap(answer, start),
    picture: drawGaps(answer, [start]),
  };
}

/** Lists the closed intervals at the edges of a range that its rows reach without a gap. */
function listEdgeRows(answer: HistoryAnswer, evidence: Evidence): EdgeRow[] {
  const { requested, inTime, records, nowWithin } = answer;
  const { from, to } = requested;
  const length = intervalLength(answer);
  const phase = evidence.conventions.phase.get(length);
  const [first, last] = [inTime[0]?.start, inTime.at(-1)?.start];
  const most = findMaxRows(operationById(evidence.spec, requested.operation), length);
  if (phase === undefined || first === undefined || last === undefined || nowWithin === undefined) return [];
  if (requested.openRange || isPrehistoric(answer) || to - from < length || records.length >= most) return [];
  // A row at the edge may be missing for the same reason as one inside.
  const isWhole = last - first === (inTime.length - 1) * length && hasEveryStart(answer);
  if (!isWhole || mayLackRows(answer, evidence)) return [];
  const isOver = ({ start }: { start: number }): boolean =>
    start + length + settlingSeconds <= nowWithin.from;
  const before = intervalPhase(from - phase, length);
  const after = intervalPhase(to - phase, length);
  const places: { place: EdgePlace; start: number; isNear: boolean }[] = [
    ...(before === 0
      ? [
          { place: 'end at from' as const, start: from - length },
          { place: 'begin at from' as const, start: from },
        ]
      : [{ place: 'contain from' as const, start: from - before }]
    ).map((row) => ({ ...row, isNear: first <= row.start + length })),
    ...(after === 0
      ? [{ place: 'end at to' as const, start: to - length }]
      : [{ place: 'contain to' as const, start: to - after }]
    ).map((row) => ({ ...row, isNear: last >= row.start - length })),
  ];
  // The only interval of a range lies at both edges, and shows neither.
  const isOnly = ({ start }: { start: number }): boolean => start >= from && to - from < 2 * length;
  return [
    ...places.filter((row) => row.isNear && isOver(row) && !isOnly(row)),
    ...listOpenRow(answer, phase),
  ].map(({ place, start }) => ({
    ...{ answer, place, start },
    isHeld: inTime[firstIndexFrom(inTime, start)]?.start === start,
  }));
}

/** Lists the interval that is open while an answer to a range up to now is given, if the row before it is there. */
function listOpenRow(
  { requested, inTime, nowWithin }: HistoryAnswer,
  phase: number,
): Pick<EdgeRow, 'place' | 'start'>[] {
  const length = requested.length;
  const { from: now = 0, to: later = 0 } = nowWithin ?? {};
  const start = now - intervalPhase(now - phase, length);
  const isSettled = now >= start + settlingSeconds && later < start + length;
  const isNear = (inTime.at(-1)?.start ?? 0) >= start - length;
  return isSettled && isNear && requested.to >= later && requested.from <= start - length
    ? [{ place: 'contain now', start }]
    : [];
}

export const edgeRowRules: readonly Rule[] = [
  {
    id: 'history/edges-are-alike',
    shows: 'missing',
    section: '4.2',
    level: 'should',
    statement: 'All histories of an interval treat the edges of their range alike.',
    broken: 'Rows at the edge of some ranges are missing',
    why: 'A row that is lost at an edge looks like a choice of edges, and no gap shows it.',
    exactly:
      'of the closed intervals that end at from, contain it or begin at it, and that end at to or contain it, and of the open one that contains now, all answers of an interval hold the row, or none does. Where they differ and at least half of the requests of the operation hold such rows, an answer without one lacks it, if another answer or a shorter interval shows it. Compared are ranges of an interval or more whose rows have no gap and reach to the edge; nothing is judged where intervals without observations may be missing.',
    restsOn: ['from', 'to'],
    needs: [recentHoursOfEachPool, ...closedWeekInEachInterval],
    check: checkEdges,
  },
];
