import { stamp } from '@candleproof/document/spec/interval';
import type { CandleRole } from '@candleproof/document/spec/roles';
import { spanAmong } from '../../reading/calendar.ts';
import { amountText, type Candle, hasSoundExtremes, rawField } from '../../reading/candle.ts';
import { quoteValue } from '../../reading/describe.ts';
import { roundingShare } from '../../reading/precision.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import { arithmetic, dateLagSeconds } from '../../reading/tolerances.ts';
import type { Conventions } from '../../relations/conventions.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { brackets, intervalLength, isInverted, isOpen, snapshots } from '../../relations/series.ts';
import { type Breach, candleBreach } from '../breach.ts';
import { nests } from '../history/history-order.ts';
import { latestInEachInterval } from '../needs.ts';
import type { Rule } from '../rule.ts';
import { isOutdated } from './latest.ts';
import { isLess } from './latest-growth.ts';

/** Answers of one state of the market with neighboring lengths among the requested ones. */
export type NeighborPair = {
  readonly longer: Candle;
  readonly shorter: Candle;
  readonly answer: CandleAnswer;
  readonly below: CandleAnswer;
};

/** Checks that in one state of the market the longer candle contains the shorter one. */
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
    const seen = brackets(latest).filter(({ first, last }) => first.candles[0] && last.candles[0]);
    if (seen.length > 0 && snapshots(latest).length === 0) {
      yield { undecided: 'the candle moved between the first and the last look', race: true };
    }
  };
}

function* disagreements(pair: NeighborPair, { conventions }: Evidence): Generator<Breach> {
  const { longer, shorter, answer, below } = pair;
  const breach: Described = (field, expected) => candleBreach(answer, longer, field, expected);
  const shared = (['close', 'liquidity', 'liquidity-usd'] as const).filter((name) =>
    isComparable(longer, shorter, name),
  );
  for (const field of shared) {
    if (rawField(longer, field) !== rawField(shorter, field)) {
      yield breach(
        field,
        `${quoteValue(rawField(shorter, field))}, as the shorter interval at the same moment`,
      );
    }
  }
  const areOpen = isOpen(longer, answer) && isOpen(shorter, below);
  if (conventions.openEnd === 'last observation' && areOpen && isOff(longer.end, shorter.end)) {
    yield breach('end', `${shorter.end}, the last observation that the shorter interval tells`);
  }
  const { start } = spanAmong(longer, 0, intervalLength(below));
  if (start === shorter.start) yield* differingValues(pair, conventions, breach);
  else if (start < shorter.start) yield* exceededValues(pair, breach);
}

function isOff(a: number, b: number): boolean {
  return a !== b && !Number.isNaN(a + b);
}

/** Returns the first difference between intervals that began together and so hold the same observations. */
function* differingValues(
  { longer, shorter, answer, below }: NeighborPair,
  { averages }: Conventions,
  breach: Described,
): Generator<Breach> {
  const expected = (value: unknown): string =>
    `${quoteValue(value)}, as the shorter interval that began with it`;
  for (const field of ['open', 'high', 'low'] as const) {
    if (isOff(longer[field], shorter[field])) yield breach(field, expected(shorter[field]));
  }
  if (isLess(longer, shorter, 'volume') || isLess(shorter, longer, 'volume'))
    yield breach('volume', expected(shorter.volume));
  const share =
    arithmetic +
    roundingShare(longer.avg, averages.get(answer)) +
    roundingShare(shorter.avg, averages.get(below));
  if (Math.abs(longer.avg - shorter.avg) > share * Math.abs(shorter.avg))
    yield breach('average', expected(shorter.avg));
}

type Described = (field: CandleRole, expected: string) => Breach;

/** Reports values of the shorter candle that the longer one, which began earlier, should include. */
function* exceededValues({ longer, shorter }: NeighborPair, breach: Described): Generator<Breach> {
  if (![longer, shorter].every(hasSoundExtremes)) return;
  if (longer.high < shorter.high) yield breach('high', `at least ${shorter.high}, the shorter interval's`);
  if (longer.low > shorter.low) yield breach('low', `at most ${shorter.low}, the shorter interval's`);
  if (isLess(longer, shorter, 'volume')) {
    yield breach('volume', `at least ${amountText(shorter, 'volume')}, the shorter interval's`);
  }
}

function isComparable(a: Candle, b: Candle, field: CandleRole): boolean {
  const kind = typeof rawField(a, field);
  return (kind === 'number' || kind === 'string') && typeof rawField(b, field) === kind;
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
    id: 'latest/intervals-agree',
    consequence: 'prices',
    section: '2.2',
    level: 'must',
    uses: ['liquidity'],
    statement:
      'At one moment, all intervals report the same close, liquidity and last observation, and longer ones include the extremes and volume of shorter ones, or equal them where both began together.',
    broken: 'Intervals contradict each other at one moment',
    why: 'They are views of the same observations.',
    exactly:
      "at one moment, close, liquidity and liquidity-usd are equal in all four intervals; for S(longer) ≤ S(shorter), high and volume of the longer are not below and low not above the shorter's; for S(longer) = S(shorter), open, high, low, volume and, but for its rounding, avg are equal. A moment is proved by requesting the shortest interval before and after: both give the same candle.",
    restsOn: ['interval'],
    needs: latestInEachInterval,
    check: pairCheck(disagreements),
  },
  {
    id: 'latest/starts-nest',
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
