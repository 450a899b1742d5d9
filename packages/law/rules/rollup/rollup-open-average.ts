import { minute, stamp } from '@candleproof/document/spec/interval';
import { type Candle, hasSoundAverage, hasSoundExtremes } from '../../reading/candle.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { arithmetic, dateLagSeconds, lateSeconds, roundingShare } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, isInverted, isOpen, poolKey } from '../../relations/series.ts';
import { firstIndexFrom } from '../../relations/timeline.ts';
import { candleBreach } from '../breach.ts';
import type { CheckOutcome } from '../rule.ts';

/** An open candle as an answer reported it, with the server's clock at that time. */
type OpenCandle = { readonly answer: HistoryAnswer; readonly candle: Candle; readonly now: number };

/** Observations of an open candle: at least this many from before `since`, at most this many after it. */
type Weights = { readonly old: number; readonly fresh: number; readonly since: number };

/**
 * Two reports of one open candle. A minute has one observation at most, and a shorter candle with movement has one at least,
 * so that the new observations weigh no more than a known share, whatever was missed, late or counted twice.
 */
export function* checkOpenAverage(evidence: Evidence): Generator<CheckOutcome> {
  const seen = new Map<string, OpenCandle>();
  let compared = 0;
  for (const answer of evidence.histories) {
    const look = listOpen(answer);
    if (!look) continue;
    const series = `${poolKey(answer)} ${intervalLength(answer)} ${isInverted(answer)} ${look.candle.start}`;
    const before = seen.get(series);
    seen.set(series, look);
    const weights = before && weigh(before, look, evidence);
    if (!before || !weights) continue;
    compared += 1;
    yield { judged: answer };
    const expected = lostWeight(before, look, weights, evidence);
    if (expected === undefined) continue;
    yield { breach: candleBreach(answer, look.candle, 'average', expected, [before.candle, look.candle]) };
  }
  if (compared === 0) yield { undecided: 'no open candle was seen twice', dead: true };
}

function listOpen(answer: HistoryAnswer): OpenCandle | undefined {
  const candle = answer.inTime.at(-1);
  const { serverNow: now } = answer;
  return candle && now !== undefined && isOpen(candle, answer) ? { answer, candle, now } : undefined;
}

/** Returns undefined if no shorter candle, requested before the first report, proves an observation well before it. */
function weigh(
  { answer, candle, now }: OpenCandle,
  later: OpenCandle,
  { histories }: Evidence,
): Weights | undefined {
  const shorter = histories
    .slice(0, histories.indexOf(answer))
    .filter((history) => poolKey(history) === poolKey(answer))
    .map((history) => ({ length: intervalLength(history), moving: movingFrom(history, candle.start) }))
    .toSorted((a, b) => a.length - b.length);
  const alive = Math.max(...shorter.map(({ moving }) => moving.at(-1)?.start ?? candle.start));
  const since = Math.min(alive, now - lateSeconds, candle.end);
  let old = 0;
  let until = since;
  for (const { length, moving } of shorter) {
    const apart = moving.filter(({ start }) => start + length <= until);
    old += apart.length;
    until = apart[0]?.start ?? until;
  }
  const fresh = Math.floor((later.now + dateLagSeconds - since) / minute) + 1;
  return old > 0 && later.now >= now ? { old, fresh, since } : undefined;
}

/** Returns whether a candle was observed: a gap may be filled with a flat one, but not with one that moved. */
function movingFrom({ inTime }: HistoryAnswer, start: number): readonly Candle[] {
  return inTime.slice(firstIndexFrom(inTime, start)).filter(({ high, low }) => high > low);
}

/** Reports an average further away than the new observations, all at the lowest or the highest price, can move it. */
function lostWeight(
  before: OpenCandle,
  now: OpenCandle,
  weights: Weights,
  evidence: Evidence,
): string | undefined {
  const looks = [before, now];
  if (!looks.every(({ candle }) => hasSoundAverage(candle) && hasSoundExtremes(candle))) return undefined;
  const { avg } = before.candle;
  const { low, high } = now.candle;
  const { old, fresh, since } = weights;
  const share = fresh / (old + fresh);
  const slack = looks.reduce((sum, look) => sum + averageRounding(look, evidence), avg * arithmetic);
  const least = avg - share * (avg - low) - slack;
  const most = avg + share * (high - avg) + slack;
  if (!(now.candle.avg < least || now.candle.avg > most)) return undefined;
  return `within [${least}, ${most}]: no more than ${fresh} minutes since ${stamp(since)} beside ${old} or more before`;
}

function averageRounding({ answer, candle: { avg } }: OpenCandle, { conventions }: Evidence): number {
  return avg * roundingShare(avg, conventions.averages.get(answer));
}
