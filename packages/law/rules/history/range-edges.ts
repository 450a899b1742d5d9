import { intervalPhase, stamp } from '@candleproof/document/spec/interval';
import { operationById } from '@candleproof/document/spec/operation';
import { type HistoryAnswer, hasEveryStart } from '../../reading/reading.ts';
import { settlingSeconds } from '../../reading/tolerances.ts';
import { isPrehistoric } from '../../relations/conventions.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, liesAhead, poolKey } from '../../relations/series.ts';
import { candleBreach } from '../breach.ts';
import { emptyRanges, recentFiveMinutes, recentHoursOfEachPool } from '../needs.ts';
import { alternative } from '../observed-values.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

/** Checks ranges in which no candle can have been observed; they may also be refused. */
function* checkEmpty({ histories }: Evidence): Generator<CheckOutcome> {
  for (const answer of histories) {
    const why = explainEmpty(answer);
    if (why === undefined) continue;
    const [candle] = answer.inTime;
    if (candle && isPrehistoric(answer) && hasOldHistory(answer, histories)) {
      yield { undecided: `pool ${answer.requested.pool} shows candles of every age` };
      continue;
    }
    yield { judged: answer };
    if (!candle) continue;
    const found = {
      expected: `no candle ${why}`,
      actual: `${answer.inTime.length}, from ${stamp(candle.start)} on`,
    };
    yield { breach: candleBreach(answer, candle, 'start', found) };
  }
}

/** Returns whether a candle lies a whole interval after the server's time, or before the first ledger of its kind. */
function explainEmpty(answer: HistoryAnswer): string | undefined {
  const { nowWithin, requested } = answer;
  if (isPrehistoric(answer)) return 'before anything was traded';
  if (nowWithin === undefined || !liesAhead(requested, nowWithin.to)) return undefined;
  return `after ${stamp(nowWithin.to)}, the server's time`;
}

/** Returns whether the pool's other answers go back to the end of this one, so that the market is older. */
function hasOldHistory(answer: HistoryAnswer, histories: readonly HistoryAnswer[]): boolean {
  const end = (answer.inTime.at(-1)?.start ?? 0) + intervalLength(answer);
  const others = histories.filter(
    (history) => poolKey(history) === poolKey(answer) && !isPrehistoric(history),
  );
  return others.some((other) => (other.inTime[0]?.start ?? Number.POSITIVE_INFINITY) <= end);
}

/** Checks the age of the newest row in ranges up to now, if the document says how soon a pool has a new one. */
function* checkFresh({ histories, latest, spec, target }: Evidence): Generator<CheckOutcome> {
  for (const answer of [...histories, ...latest]) {
    const { fresh, gaps, role } = operationById(spec, answer.requested.operation);
    const { nowWithin, requested, inTime, fromCache } = answer;
    const { to = Number.POSITIVE_INFINITY } = requested;
    if (fresh === undefined || nowWithin === undefined || fromCache || to < nowWithin.to) continue;
    if (target.gaps === 'idle' || !hasEveryStart(answer)) continue;
    const oldest = nowWithin.from - 2 * intervalLength(answer) - fresh;
    const newest = inTime.at(-1);
    if (newest && newest.start >= oldest) yield { judged: answer };
    // The rule of completeness reports what a history without gaps lacks at its end.
    else if (newest && (gaps === 'idle' || role === 'latest'))
      yield {
        breach: candleBreach(answer, newest, 'start', {
          expected: `a row from ${stamp(oldest)} or later: new ones come within ${fresh} s`,
          actual: `the newest from ${stamp(newest.start)}`,
        }),
      };
  }
}

export const rangeEdgeRules: readonly Rule[] = [
  {
    id: 'history/nothing-before-birth-or-after-now',
    shows: 'made up',
    section: '4.2',
    level: 'should',
    statement: 'A range before any pool existed, or in the future, contains no candles.',
    broken: 'Candles exist where there can be none',
    why: 'A price without an observation is made up.',
    exactly:
      'no candle for a range that ends before March 2018, nor for one with from ≥ now + L + 120. A refusal is accepted too.',
    restsOn: ['from', 'to'],
    needs: emptyRanges,
    check: checkEmpty,
  },
  {
    id: 'history/newest-row-is-fresh',
    shows: 'stale',
    section: '4.2',
    level: 'must',
    uses: ['fresh'],
    statement: 'The newest row of a range up to now is as recent as the document says.',
    broken: 'The newest rows are out of date',
    why: 'A price that no longer changes looks like a quiet market.',
    exactly:
      'S + 2L + x-fresh ≥ now for the newest row of an answer whose range reaches the present, since a row may come only once its interval is over. Nothing is judged where gaps: idle is declared for the target; of histories without gaps the rule of completeness reports it.',
    restsOn: ['history', 'latest'],
    needs: [recentHoursOfEachPool, recentFiveMinutes],
    alsoReads: ['latest'],
    noFaultReason: 'The document that the proof uses has no x-fresh; documents of other APIs have it.',
    check: checkFresh,
  },
];

/** Interpretations of a range's edges, each as a test of a candle's interval. */
const memberships: Readonly<
  Record<
    string,
    (start: number, end: number, from: number, to: number, length: number, phase: number) => boolean
  >
> = {
  'floored from <= end <= to': (_start, end, from, to, length, phase) =>
    floor(from, length, phase) <= end && end <= to,
  'from <= start < to': (start, _end, from, to) => from <= start && start < to,
  'the interval meets [from, to]': (start, _end, from, to, length) => start <= to && start + length > from,
  'from <= start <= to': (start, _end, from, to) => from <= start && start <= to,
  'floored from <= start, end <= to': (start, end, from, to, length, phase) =>
    floor(from, length, phase) <= start && end <= to,
  'from <= start, end <= to': (start, end, from, to) => from <= start && end <= to,
};

function floor(seconds: number, length: number, phase: number): number {
  return seconds - intervalPhase(seconds - phase, length);
}

/** Lists the interpretations that fit every history so far, by candles present and absent at both edges. */
export function membershipAnswer({ histories, conventions }: Evidence): string | undefined {
  const telling = histories.filter(({ candles, requested }) => candles.length > 1 && !requested.openRange);
  if (telling.length === 0) return undefined;
  const fitting = Object.entries(memberships).filter(([, isMember]) =>
    telling.every((answer) => {
      const phase = conventions.phase.get(answer.requested.length) ?? 0;
      const { from, to } = answer.requested;
      const length = intervalLength(answer);
      const early = conventions.endsEarly ?? 0;
      return edges(answer, conventions).every(
        ({ start, isThere }) => isMember(start, start + length - early, from, to, length, phase) === isThere,
      );
    }),
  );
  if (fitting.length === 0) return describeEdges(telling, conventions);
  return fitting.map(([name]) => name).join(alternative);
}

/**
 * Returns the outermost candles, and the absent intervals just outside although the pool existed and the interval is over.
 * If candles are missing inside, one may be missing at the edge for the same reason.
 */
function edges(
  answer: HistoryAnswer,
  { alive }: Evidence['conventions'],
): { start: number; isThere: boolean }[] {
  const candles = answer.inTime;
  const length = intervalLength(answer);
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return [];
  const birth = alive.get(poolKey(answer)) ?? Number.POSITIVE_INFINITY;
  const isPast = (start: number): boolean => start + length + settlingSeconds < (answer.serverNow ?? 0);
  const isWhole = last.start - first.start === (candles.length - 1) * length;
  const beside = isWhole ? [first.start - length, last.start + length] : [];
  return [
    ...[first, last].map(({ start }) => ({ start, isThere: true })),
    ...beside.filter((start) => start >= birth).map((start) => ({ start, isThere: false })),
  ].filter(({ start }) => isPast(start));
}

/** Names an edge in whole intervals, since seconds differ in every range. A pool born within the range has no first edge. */
function describeEdges(histories: readonly HistoryAnswer[], { alive }: Evidence['conventions']): string {
  const old = histories.filter((history) => history.requested.from >= (alive.get(poolKey(history)) ?? 0));
  const past = old.filter(({ requested, serverNow }) => requested.to + settlingSeconds < (serverNow ?? 0));
  const early = distanceText(
    old,
    ({ requested, inTime }) => (inTime[0]?.start ?? Number.NaN) - requested.from,
  );
  const late = distanceText(
    past,
    ({ requested, inTime }) => requested.to - (inTime.at(-1)?.start ?? Number.NaN),
  );
  return `none of the usual readings: first start ${early} intervals after from, last start ${late} before to`;
}

function distanceText(histories: readonly HistoryAnswer[], pick: (answer: HistoryAnswer) => number): string {
  const seen = new Set(histories.map((history) => Math.floor(pick(history) / intervalLength(history))));
  return (
    [...seen]
      .sort((a, b) => a - b)
      .slice(0, 5)
      .join(' or ') || 'some'
  );
}
