import { stamp } from '@candleproof/document/spec/interval';
import type { Candle } from '../../reading/candle.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import { dateLagSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { brackets, intervalLength, isInverted, snapshots } from '../../relations/series.ts';
import { type Breach, candleBreach } from '../breach.ts';
import { nests } from '../history/history-order.ts';
import { latestInEachInterval } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { isOutdated } from './latest.ts';

/** Answers of one state of the market with neighboring lengths among the requested ones. */
export type NeighborPair = {
  readonly longer: Candle;
  readonly shorter: Candle;
  readonly answer: CandleAnswer;
  readonly below: CandleAnswer;
};

/** Lists the candles of neighboring lengths in each state of the market that is proved. */
function* neighborPairs(latest: readonly CandleAnswer[]): Generator<NeighborPair> {
  for (const snapshot of snapshots(latest)) {
    const plain = snapshot.filter((candleAnswer) => !isInverted(candleAnswer));
    const ordered = plain.sort((a, b) => intervalLength(a) - intervalLength(b));
    for (const [index, answer] of ordered.entries()) {
      const below = ordered[index - 1];
      const [longer] = answer.candles;
      const [shorter] = below?.candles ?? [];
      if (!below || !longer || !shorter || isOutdated(longer.start, answer)) continue;
      if (below.requested.interval !== answer.requested.interval) yield { longer, shorter, answer, below };
    }
  }
}

/** Makes a check of neighboring lengths; it stays open if the market moved between the first and the last answer. */
export function pairCheck(test: (pair: NeighborPair, evidence: Evidence) => Iterable<Breach>): Rule['check'] {
  return function* check(evidence) {
    const { latest } = evidence;
    for (const pair of neighborPairs(latest)) {
      yield { judged: pair.answer };
      for (const breach of test(pair, evidence)) {
        yield { breach: { ...breach, candles: [pair.shorter, pair.longer] } };
      }
    }
    yield* findRace(evidence);
  };
}

/** Tells that no state of the market is proved, although one was bracketed. */
export function* findRace({ latest }: Evidence): Generator<CheckOutcome> {
  const seen = brackets(latest).filter(({ first, last }) => first.candles[0] && last.candles[0]);
  if (seen.length > 0 && snapshots(latest).length === 0) {
    yield { undecided: 'the candle moved between the first and the last look', race: true };
  }
}

/** Skips candles of the future and intervals that do not nest, which other rules report. */
function* lateStarts(
  { longer, shorter, answer, below }: NeighborPair,
  { conventions }: Evidence,
): Generator<Breach> {
  const isFuture = longer.start > (answer.nowWithin?.to ?? Number.POSITIVE_INFINITY) + dateLagSeconds;
  if (!(longer.start > shorter.start) || isFuture) return;
  if (!nests(conventions, intervalLength(answer), intervalLength(below))) return;
  const found = {
    expected: `at or before ${stamp(shorter.start)}, where the shorter interval begins`,
    actual: stamp(longer.start),
  };
  yield candleBreach(answer, longer, 'start', found);
}

export const latestIntervalRules: readonly Rule[] = [
  {
    id: 'latest/starts-nest',
    shows: 'stale',
    consequence: 'rows',
    section: '2.2',
    level: 'should',
    statement: 'At one moment a longer interval began no later than a shorter one.',
    broken: 'A longer interval began after a shorter one',
    why: 'The current hour is part of the current day, and the day is part of the week.',
    exactly: 'at one moment S(longer) ≤ S(shorter).',
    restsOn: ['interval'],
    needs: latestInEachInterval,
    check: pairCheck(lateStarts),
  },
];
