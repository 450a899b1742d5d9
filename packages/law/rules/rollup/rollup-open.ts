import type { CandleRole } from '@candleproof/document/spec/roles';
import { type Candle, hasSoundExtremes, rawField, spanAmong } from '../../reading/candle.ts';
import { add, compare, formatDecimal } from '../../reading/decimal.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { maxBy, minBy } from '../../reading/statistics.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { type FamilyRows, makeFamily, sliceTiles } from '../../relations/families.ts';
import { intervalLength, isInverted, isOpen, poolKey } from '../../relations/series.ts';
import { closedCandles, firstIndexFrom, type Timeline } from '../../relations/timeline.ts';
import { type Breach, candleBreach, type FoundValues } from '../breach.ts';
import { allWeeks, recentFiveMinutes, recentHoursOfEachPool } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import {
  expectedHighest,
  expectedLowest,
  expectedMeanBounds,
  expectedOpen,
  expectedVolume,
  readAmount,
  roundingOfVolumes,
  sumVolumes,
} from './family-values.ts';

/**
 * An open candle beside closed ones of a shorter interval that were requested before: their content had been observed when
 * the longer one was reported. The first ones may be missing; it contains at least the others.
 */
export function* checkOpen({ histories }: Evidence): Generator<CheckOutcome> {
  for (const [index, answer] of histories.entries()) {
    const parent = answer.inTime.at(-1);
    if (!parent || !isOpen(parent, answer)) continue;
    const shorter = histories.slice(0, index).filter((history) => belongsTo(history, answer));
    const known = shorter
      .map((historyAnswer) =>
        closedFrom(historyAnswer, spanAmong(parent, 0, intervalLength(historyAnswer)).start),
      )
      .filter((candles) => candles.length > 0);
    if (known.length > 0) yield { judged: answer };
    const found = known
      .map((parts) => missingParts(parent, parts, answer))
      .find((breaches) => breaches.length > 0);
    for (const breach of found ?? []) yield { breach };
  }
}

function closedFrom(answer: HistoryAnswer, start: number): readonly Candle[] {
  const closed = closedCandles(answer);
  return closed.slice(firstIndexFrom(closed, start));
}

/** Returns whether a closed candle belongs to an open one: from the open one's start on it can only be a shorter part. */
function belongsTo(shorter: HistoryAnswer, answer: HistoryAnswer): boolean {
  return (
    poolKey(shorter) === poolKey(answer) &&
    isInverted(shorter) === isInverted(answer) &&
    (shorter.nowWithin?.from ?? Number.POSITIVE_INFINITY) <= (answer.nowWithin?.from ?? 0)
  );
}

/** Returns the content of these parts that the open candle lacks. */
function missingParts(parent: Candle, parts: readonly Candle[], answer: HistoryAnswer): Breach[] {
  const found = [...findExtremes(parts, parent), ...findVolume(parts, parent)];
  return found.map(([field, expected]) => ({
    ...candleBreach(answer, parent, field, expected),
    candles: [...parts.slice(-24), parent],
  }));
}

type Lack = [field: CandleRole, expected: string];

function* findExtremes(parts: readonly Candle[], parent: Candle): Generator<Lack> {
  if (!hasSoundExtremes(parent) || !parts.every(hasSoundExtremes)) return;
  const high = maxBy(parts, (part) => part.high);
  const low = minBy(parts, (part) => part.low);
  if (parent.high < high) yield ['high', `at least ${high}, as its closed parts`];
  if (parent.low > low) yield ['low', `at most ${low}, as its closed parts`];
}

function* findVolume(parts: readonly Candle[], parent: Candle): Generator<Lack> {
  const total = sumVolumes(parts);
  const whole = readAmount(parent, 'volume');
  if (!total || !whole) return;
  if (compare(add(whole, roundingOfVolumes(parts, total, whole)), total) < 0)
    yield ['volume', `at least ${formatDecimal(total)}, the sum of its ${parts.length} closed parts`];
}

type Test = readonly [CandleRole, (family: FamilyRows) => FoundValues | undefined];
const tests: readonly Test[] = [
  ['open', expectedOpen],
  ['high', expectedHighest],
  ['low', expectedLowest],
  ['volume', expectedVolume],
  ['average', expectedMeanBounds],
];

/** An open candle beside all shorter ones in it, the last of which is open too and was reported at the same moment. */
function* checkOpenParts(evidence: Evidence): Generator<CheckOutcome> {
  for (const answer of evidence.histories) {
    const parent = answer.inTime.at(-1);
    if (!parent || !isOpen(parent, answer)) continue;
    const family = findFamily(parent, answer, evidence);
    if (!family) continue;
    yield { judged: answer };
    // Another rule reports a candle with less than its closed parts hold.
    if (missingParts(parent, family.children.slice(0, -1), answer).length > 0) continue;
    for (const [field, test] of tests) {
      const found = test(family);
      if (found === undefined) continue;
      yield { breach: candleBreach(answer, parent, field, found, [...family.children.slice(-24), parent]) };
    }
  }
}

function findFamily(
  parent: Candle,
  answer: HistoryAnswer,
  evidence: Evidence,
): FamilyRows<Candle> | undefined {
  const lines = evidence
    .timelines()
    .filter((timeline) => timeline.pool === poolKey(answer) && timeline.inverted === isInverted(answer))
    .filter((timeline) => timeline.length < answer.requested.length)
    .toSorted((a, b) => b.length - a.length);
  for (const line of lines) {
    for (const shorter of line.answers) {
      const last = shorter.inTime.at(-1);
      if (!last || !isOpen(last, shorter) || !isOneMoment(parent, last, evidence)) continue;
      const children = findTiles(parent, last, line);
      if (children) return makeFamily(parent, children, children, line.length);
    }
  }
  return undefined;
}

/**
 * Returns whether close, liquidity and end are equal, if open candles end at the last observation: any new observation
 * in between would have changed one of these.
 */
function isOneMoment(parent: Candle, last: Candle, { conventions }: Evidence): boolean {
  const isSame = (field: CandleRole): boolean => rawField(parent, field) === rawField(last, field);
  return (
    conventions.openEnd === 'last observation' &&
    parent.end === last.end &&
    isSame('close') &&
    isSame('liquidity')
  );
}

/** Returns the closed candles from the parent's start on, without a gap, and the open one after them. */
function findTiles({ start }: Candle, last: Candle, { candles, length }: Timeline): Candle[] | undefined {
  const count = (last.start - start) / length;
  const closed = sliceTiles(candles, firstIndexFrom(candles, start), start, length, count);
  return closed.length === count ? [...closed, last] : undefined;
}

export const openPartRules: readonly Rule[] = [
  {
    id: 'rollup/open-is-made-of-its-parts',
    damage: 'none',
    section: '2.2',
    level: 'must',
    uses: ['gapless', 'average', 'liquidity'],
    statement: 'An open candle is made of the shorter candles in it, including the open one.',
    broken: 'An open candle is not made of its parts',
    why: 'Displays show the open candle, and a volume counted twice disappears before anyone can check it.',
    exactly:
      'for an open candle and shorter ones that fill it from S on, the last of them open, with the same E, close and liquidity, which proves one moment: open, high and low as of closed candles, volume the exact sum, avg within the averages of the parts. Decided only where open candles end at their last observation.',
    restsOn: ['open', 'high', 'low', 'volume', 'average'],
    needs: [recentFiveMinutes, recentHoursOfEachPool, allWeeks],
    check: checkOpenParts,
  },
];
