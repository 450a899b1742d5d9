import type { CandleRole } from '@candleproof/document/spec/roles';
import { amountText, type Candle, hasSoundExtremes, rawField, spanAmong } from '../../reading/candle.ts';
import { compare, parseDecimal } from '../../reading/decimal.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import { arithmetic, roundingShare } from '../../reading/tolerances.ts';
import { quoteValue } from '../../reading/words.ts';
import type { Conventions } from '../../relations/conventions.ts';
import type { Evidence } from '../../relations/evidence.ts';
import {
  intervalLength,
  isInverted,
  isOpen,
  requestKey,
  type Snapshot,
  snapshots,
} from '../../relations/series.ts';
import { type Breach, candleBreach } from '../breach.ts';
import { latestInEachInterval } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { isOutdated } from './latest.ts';
import { isLess } from './latest-growth.ts';
import { findRace } from './latest-intervals.ts';

/** The candle of one interval in a state of the market. */
type Seen = { readonly answer: CandleAnswer; readonly candle: Candle };

/** Checks that all intervals report one state of the market, wherever that is proved. */
function* checkAgreement(evidence: Evidence): Generator<CheckOutcome> {
  for (const snapshot of snapshots(evidence.latest)) {
    const seen = listSeen(snapshot);
    for (const { answer } of seen.slice(1)) yield { judged: answer };
    const contradictions = [...findShared(seen, evidence), ...findUnequal(seen, evidence)];
    for (const breach of nameWorst(contradictions)) yield { breach };
  }
  yield* findRace(evidence);
}

/** Lists the plain candles of a state of the market, shortest first, equal requests once; of outdated ones the shortest alone. */
function listSeen(snapshot: Snapshot): Seen[] {
  const plain = snapshot.filter((answer) => !isInverted(answer));
  const latest = new Map(plain.map((answer) => [requestKey(answer), answer]));
  return [...latest.values()]
    .sort((a, b) => intervalLength(a) - intervalLength(b))
    .flatMap((answer) => (answer.candles[0] ? [{ answer, candle: answer.candles[0] }] : []))
    .filter(({ answer, candle }, at) => at === 0 || !isOutdated(candle.start, answer));
}

/** A value of one interval that contradicts that of another; either may be wrong. */
type Contradiction = {
  readonly field: CandleRole;
  readonly longer: Seen;
  readonly shorter: Seen;
  /** Words for the value that each of them should have. */
  readonly expected: { readonly longer: string; readonly shorter: string };
};

/** Yields differences between values that all intervals share. */
function* findShared(seen: readonly Seen[], { conventions }: Evidence): Generator<Contradiction> {
  const same = (value: unknown): string => `${quoteValue(value)}, as the other intervals at the same moment`;
  for (const [shorter, longer] of pairsOf(seen)) {
    for (const field of ['close', 'liquidity', 'liquidity-usd'] as const) {
      if (!differs(shorter.candle, longer.candle, field)) continue;
      const [one, other] = [rawField(shorter.candle, field), rawField(longer.candle, field)];
      yield { field, longer, shorter, expected: { longer: same(one), shorter: same(other) } };
    }
    const [one, other] = [shorter.candle.end, longer.candle.end];
    if (conventions.openEnd !== 'last observation' || !isOff(one, other)) continue;
    if (!isOpen(shorter.candle, shorter.answer) || !isOpen(longer.candle, longer.answer)) continue;
    const words = (end: number): string => `${end}, the last observation that the other intervals tell`;
    yield { field: 'end', longer, shorter, expected: { longer: words(one), shorter: words(other) } };
  }
}

function* pairsOf(seen: readonly Seen[]): Generator<readonly [shorter: Seen, longer: Seen]> {
  for (const [at, longer] of seen.entries()) {
    const length = intervalLength(longer.answer);
    const shorter = seen.slice(0, at).filter(({ answer }) => intervalLength(answer) < length);
    for (const one of shorter.toReversed()) yield [one, longer];
  }
}

/** Returns whether two values differ, both of which have their form: another rule reports an amount such as NaN. */
function differs(a: Candle, b: Candle, field: 'close' | 'liquidity' | 'liquidity-usd'): boolean {
  if (field === 'close') return isOff(a.close, b.close);
  const [one, other] = [a, b].map((candle) => parseDecimal(amountText(candle, field) ?? ''));
  return one !== undefined && other !== undefined && compare(one, other) !== 0;
}

function isOff(a: number, b: number): boolean {
  return a !== b && !Number.isNaN(a + b);
}

/** Yields what intervals that began together, or one inside the other, cannot both have. */
function* findUnequal(seen: readonly Seen[], { conventions }: Evidence): Generator<Contradiction> {
  for (const [shorter, longer] of pairsOf(seen)) {
    const { start } = spanAmong(longer.candle, 0, intervalLength(shorter.answer));
    if (start === shorter.candle.start) yield* findDiffering(shorter, longer, conventions);
    else if (start < shorter.candle.start) yield* findExceeding(shorter, longer);
  }
}

/** Yields the differences between intervals that began together and so hold the same observations. */
function* findDiffering(shorter: Seen, longer: Seen, { averages }: Conventions): Generator<Contradiction> {
  const [short, long] = [shorter.candle, longer.candle];
  const contradict = (field: CandleRole, one: unknown, other: unknown): Contradiction => ({
    field,
    longer,
    shorter,
    expected: {
      longer: `${quoteValue(one)}, as the shorter interval that began with it`,
      shorter: `${quoteValue(other)}, as the longer interval that began with it`,
    },
  });
  for (const field of ['open', 'high', 'low'] as const) {
    if (isOff(long[field], short[field])) yield contradict(field, short[field], long[field]);
  }
  if (isLess(long, short, 'volume') || isLess(short, long, 'volume'))
    yield contradict('volume', short.volume, long.volume);
  const share =
    arithmetic +
    roundingShare(long.avg, averages.get(longer.answer)) +
    roundingShare(short.avg, averages.get(shorter.answer));
  if (Math.abs(long.avg - short.avg) > share * Math.abs(short.avg))
    yield contradict('average', short.avg, long.avg);
}

/** Yields values of the shorter candle that the longer one, which began earlier, should include. */
function* findExceeding(shorter: Seen, longer: Seen): Generator<Contradiction> {
  const [short, long] = [shorter.candle, longer.candle];
  const exceeds = (field: 'high' | 'low' | 'volume', atLeast: boolean): Contradiction => {
    const value = (candle: Candle): unknown =>
      field === 'volume' ? amountText(candle, field) : candle[field];
    const [bound, other] = atLeast ? ['at least', 'at most'] : ['at most', 'at least'];
    return {
      field,
      longer,
      shorter,
      expected: {
        longer: `${bound} ${value(short)}, the shorter interval's`,
        shorter: `${other} ${value(long)}, the longer interval's`,
      },
    };
  };
  if (![short, long].every(hasSoundExtremes)) return;
  if (long.high < short.high) yield exceeds('high', true);
  if (long.low > short.low) yield exceeds('low', false);
  if (isLess(long, short, 'volume')) yield exceeds('volume', true);
}

/**
 * Names for each field the candle that contradicts most others, of two the longer one, and goes on without it: one wrong value
 * among four contradicts three, each of which contradicts it alone.
 */
function* nameWorst(all: readonly Contradiction[]): Generator<Breach> {
  for (const [field, found] of Map.groupBy(all, (contradiction) => contradiction.field)) {
    let left = found;
    while (left.length > 0) {
      const worst = findWorst(left);
      const first = left.find(({ longer, shorter }) => longer === worst || shorter === worst);
      if (!first) break;
      const expected = first.longer === worst ? first.expected.longer : first.expected.shorter;
      yield candleBreach(worst.answer, worst.candle, field, expected, [
        first.shorter.candle,
        first.longer.candle,
      ]);
      left = left.filter(({ longer, shorter }) => longer !== worst && shorter !== worst);
    }
  }
}

/** Returns the candle in most contradictions; of several, the longest. */
function findWorst(all: readonly Contradiction[]): Seen {
  const counts = new Map<Seen, number>();
  for (const { longer, shorter } of all) {
    for (const seen of [longer, shorter]) counts.set(seen, (counts.get(seen) ?? 0) + 1);
  }
  const ranked = [...counts].sort(
    ([a, one], [b, other]) => other - one || intervalLength(b.answer) - intervalLength(a.answer),
  );
  return (ranked[0] as [Seen, number])[0];
}

export const intervalsAgreeRule = 'latest/intervals-agree';

export const latestAgreementRules: readonly Rule[] = [
  {
    id: intervalsAgreeRule,
    consequence: 'prices',
    section: '2.2',
    level: 'must',
    uses: ['liquidity'],
    statement:
      'At one moment, all intervals report the same close, liquidity and last observation, and longer ones include the extremes and volume of shorter ones, or equal them where both began together.',
    broken: 'Intervals contradict each other at one moment',
    why: 'They are views of the same observations.',
    exactly:
      "at one moment, close, liquidity and liquidity-usd are equal in all four intervals; for S(longer) ≤ S(shorter), high and volume of the longer are not below and low not above the shorter's; for S(longer) = S(shorter), open, high, low, volume and, but for its rounding, avg are equal. A moment is proved by requesting the shortest interval before and after: both give the same candle. The interval that contradicts most others is named, of two the longer one; a value that cannot be read contradicts none.",
    restsOn: ['interval'],
    needs: latestInEachInterval,
    check: checkAgreement,
  },
];
