import { stamp } from '@candleproof/document/spec/interval';
import type { Candle } from '../../reading/candle.ts';
import { type HistoryAnswer, hasEveryStart } from '../../reading/reading.ts';
import { lateSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { wasSentAfter } from '../../relations/flights.ts';
import {
  hasClock,
  intervalLength,
  isClosed,
  isFirstHand,
  isInverted,
  isOpen,
  poolKey,
  requestKey,
} from '../../relations/series.ts';
import { closedCandles } from '../../relations/timeline.ts';
import { type Breach, candleBreach } from '../breach.ts';
import { shrunken } from '../latest/latest-growth.ts';
import { recentHoursTwice } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

/** Lists closed candles that are not strictly inside the range; the rule of completeness covers the others. */
export function listEdgeCandles(answer: HistoryAnswer): number[] {
  const { from, to } = answer.requested;
  const starts = closedCandles(answer).map((closedCandle) => closedCandle.start);
  return starts.filter((start) => start <= from || start + intervalLength(answer) >= to);
}

/** Yields answers whose rows at the edges are others than those of an earlier answer to the same request. */
export function* otherEdges(answers: readonly HistoryAnswer[]): Generator<Breach> {
  const firsts = new Map<string, HistoryAnswer>();
  for (const answer of answers) {
    const key = requestKey(answer);
    const first = firsts.get(key);
    if (!first) firsts.set(key, answer);
    if (!first || ![first, answer].every((one) => hasClock(one) && hasEveryStart(one))) continue;
    const until = Math.min(first.nowWithin?.from ?? 0, answer.nowWithin?.from ?? 0) - lateSeconds;
    const [one, other] = [first, answer].map((history) =>
      listEdgeCandles(history)
        .filter((start) => start + intervalLength(history) <= until)
        .map(stamp)
        .join(', '),
    );
    if (one === other) continue;
    const expected = `the candles at the edges of the range as in the answer before: ${one || 'none'}`;
    yield { answer, pointer: '', expected, actual: other || 'none' };
  }
}

/** A row that was open in one answer, and an answer to the same series that was requested when that one had arrived. */
type Later = { readonly old: Candle; readonly answer: HistoryAnswer };

function* findLater({ histories }: Evidence): Generator<Later> {
  const telling = histories.filter((history) => hasClock(history) && isFirstHand(history));
  const series = Map.groupBy(
    telling,
    (history) => `${poolKey(history)} ${intervalLength(history)} ${isInverted(history)}`,
  );
  for (const answers of series.values()) {
    const open: HistoryAnswer[] = [];
    for (const answer of answers) {
      const before = open.findLast((earlier) => wasSentAfter(answer, earlier));
      const old = before && findOpen(before);
      if (old) yield { old, answer };
      if (findOpen(answer)) open.push(answer);
    }
  }
}

function findOpen(answer: HistoryAnswer): Candle | undefined {
  const newest = answer.inTime.at(-1);
  return newest && isOpen(newest, answer) ? newest : undefined;
}

function* checkGrowth(evidence: Evidence): Generator<CheckOutcome> {
  for (const { old, answer } of findLater(evidence)) {
    const now = answer.inTime.findLast(({ start }) => start === old.start);
    if (!now) {
      if (!isDue(old, answer)) continue;
      const expected = `the candle from ${stamp(old.start)}, as in an answer before`;
      yield { breach: { answer, pointer: '', expected, actual: 'no such candle', candles: [old] } };
      continue;
    }
    yield { judged: answer };
    if (now.end < old.end) {
      const found = { expected: `${stamp(old.end)} or later, as before`, actual: stamp(now.end) };
      yield { breach: candleBreach(answer, now, 'end', found, [old, now]) };
      continue;
    }
    for (const [field, expected] of shrunken(old, now)) {
      yield { breach: candleBreach(answer, now, field, expected, [old, now]) };
    }
  }
}

/** Returns whether a range holds the whole interval, which is not over: closed ones are another rule's matter. */
function isDue(old: Candle, answer: HistoryAnswer): boolean {
  const { from, to } = answer.requested;
  return (
    hasEveryStart(answer) &&
    from < old.start &&
    to > old.start + intervalLength(answer) &&
    !isClosed(old, answer)
  );
}

export const repeatRules: readonly Rule[] = [
  {
    id: 'history/open-candle-only-grows',
    shows: 'going back',
    consequence: 'prices',
    damage: 'none',
    section: '2.2',
    level: 'must',
    statement:
      'The open candle of a history never gets older from one answer to the next: it keeps its open, and its high, low and volume only widen.',
    broken: 'The open candle of histories goes back in time',
    why: 'One server or connection that lags behind the others shows a market that runs backwards.',
    exactly:
      'for two answers to one series, the second requested when the first had arrived, and the newest row of the first, if it was open: in the second it ends no earlier, open stays, high and volume do not fall, low does not rise, the close lies between low and high. It is missing only where the range of the second does not hold its whole interval. Answers with an Age header are left out.',
    restsOn: ['history', 'open', 'high', 'low', 'volume'],
    needs: recentHoursTwice,
    check: checkGrowth,
  },
];
