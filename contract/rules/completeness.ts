import type { Candle } from '../candle.ts';
import type { Evidence } from '../evidence.ts';
import { phaseOf, stamp } from '../interval.ts';
import type { HistoryAnswer } from '../reading.ts';
import type { Sight } from '../rule.ts';
import { inTime, lengthOf, poolOf } from '../series.ts';
import { settlingSeconds } from '../tolerances.ts';

/** Intervals that are looked for in one answer at most; a longer range is looked at from its end. */
const mostIntervals = 200_000;

/**
 * Intervals strictly inside the range are in it under every reading of its edges. A pool is only known to live
 * from the end of the first interval that any answer shows of it: that one may hold its birth.
 */
export function* checkComplete(evidence: Evidence): Generator<Sight> {
  for (const answer of evidence.histories) {
    const wanted = wantedStarts(answer, evidence);
    if (wanted === undefined) continue;
    if (answer.candles.some(({ start }) => Number.isNaN(start))) {
      yield { undecided: 'some candles have no readable start' };
      continue;
    }
    yield { judged: answer };
    const given = new Set(answer.candles.map((each) => each.start));
    const missing = wanted.filter((start) => !given.has(start));
    const [first] = missing;
    if (first === undefined) continue;
    const listed = missing.slice(0, 3).map(stamp).join(', ');
    const expected = `a candle for each of ${wanted.length} ${answer.asked.interval} intervals`;
    const actual = `${missing.length} missing: ${listed}${missing.length > 3 ? ', …' : ''}`;
    yield { breach: { answer, pointer: '', expected, actual, candles: around(answer, first) } };
  }
}

/** Starts of the intervals that must be there, in time; undefined where the evidence does not tell. */
function wantedStarts(answer: HistoryAnswer, { conventions }: Evidence): number[] | undefined {
  const length = lengthOf(answer);
  const phase = conventions.phase.get(answer.asked.interval);
  const alive = conventions.alive.get(poolOf(answer));
  if (phase === undefined || alive === undefined || answer.serverNow === undefined) return undefined;
  const { from, to } = answer.asked;
  const earliest = Math.max(from + 1, alive);
  const latest = Math.min(to - 1, answer.serverNow - settlingSeconds) - length;
  const last = latest - phaseOf(latest - phase, length);
  const starts: number[] = [];
  for (let start = last; start >= earliest && starts.length < mostIntervals; start -= length)
    starts.push(start);
  return starts.length > 0 ? starts.reverse() : undefined;
}

/** The candles on both sides of a gap. */
function around(answer: HistoryAnswer, gap: number): Candle[] {
  const candles = inTime(answer.candles);
  const after = candles.findIndex((each) => each.start > gap);
  const at = after < 0 ? candles.length : after;
  return candles.slice(Math.max(0, at - 2), at + 2);
}
