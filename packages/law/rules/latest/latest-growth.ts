import { minute, stamp } from '@candleproof/document/spec/interval';
import type { Amount, CandleRole } from '@candleproof/document/spec/roles';
import { amountText, type Candle } from '../../reading/candle.ts';
import { compare, type Decimal, formatDecimal, parseDecimal } from '../../reading/decimal.ts';
import { areDoubles, mayBeOneSum } from '../../reading/double-sums.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, isFirstHand, isInverted, poolKey } from '../../relations/series.ts';
import { candleBreach } from '../breach.ts';
import { growsRule } from '../facts.ts';
import { latestInEachInterval } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

type Successive = readonly [old: Candle, now: Candle, answer: CandleAnswer];

/**
 * Groups the candles of successive answers to one series in request order; plain and inverted are separate. One that a
 * cache held may be older than the one before.
 */
function* successive(latest: readonly CandleAnswer[]): Generator<Successive> {
  const seen = new Map<string, CandleAnswer>();
  for (const answer of latest.filter(isFirstHand)) {
    const series = `${poolKey(answer)} ${intervalLength(answer)} ${isInverted(answer)}`;
    const [old] = seen.get(series)?.candles ?? [];
    const [now] = answer.candles;
    seen.set(series, answer);
    if (old && now) yield [old, now, answer];
  }
}

/** A candle older than the one before says nothing about growth: another rule reports it. */
function* successiveCandles(latest: readonly CandleAnswer[]): Generator<Successive> {
  for (const pair of successive(latest)) {
    const [old, now] = pair;
    if (old.start === now.start && !(now.end < old.end)) yield pair;
  }
}

function* checkForward({ latest }: Evidence): Generator<CheckOutcome> {
  for (const [old, now, answer] of successive(latest)) {
    if (Number.isNaN(old.start + old.end + now.start + now.end)) continue;
    yield { judged: answer };
    if (now.start > old.start || (now.start === old.start && now.end >= old.end)) continue;
    const found = {
      expected: `a candle no older than ${stamp(old.start)} to ${stamp(old.end)}, as seen before`,
      actual: `${stamp(now.start)} to ${stamp(now.end)}`,
    };
    yield { breach: candleBreach(answer, now, 'end', found) };
  }
}

/** Makes a check of fields that an open candle may only move one way. */
function growth(shrunken: (...pair: Successive) => Iterable<[field: CandleRole, expected: string]>) {
  return function* check({ latest }: Evidence): Generator<CheckOutcome> {
    for (const [old, now, answer] of successiveCandles(latest)) {
      yield { judged: answer };
      for (const [field, expected] of shrunken(old, now, answer)) {
        yield { breach: candleBreach(answer, now, field, expected, [old, now]) };
      }
    }
  };
}

/** Yields what a candle lost although its interval goes on. */
export function* shrunken(old: Candle, now: Candle): Generator<[field: CandleRole, expected: string]> {
  if (now.open !== old.open && !Number.isNaN(now.open + old.open)) yield ['open', `${old.open}, as before`];
  if (now.high < old.high) yield ['high', `at least ${old.high}, as before`];
  if (now.low > old.low) yield ['low', `at most ${old.low}, as before`];
  if (isLess(now, old, 'volume')) yield ['volume', `at least ${amountText(old, 'volume')}, as before`];
}

function* shrunkenWorth(...[old, now, answer]: Successive): Generator<[field: CandleRole, expected: string]> {
  const [before, after] = [readDecimal(old, 'volume-usd'), readDecimal(now, 'volume-usd')];
  if (!before || !after || !isLess(now, old, 'volume-usd') || isMovedByAdding(before, after, answer)) return;
  yield ['volume-usd', `at least ${amountText(old, 'volume-usd')}, as before`];
}

/** Returns whether both may be one sum of doubles, of an addend a minute, which were added in another order. */
export function isMovedByAdding(one: Decimal, other: Decimal, answer: CandleAnswer): boolean {
  const minutes = intervalLength(answer) / minute;
  return areDoubles([one, other].map(formatDecimal)) && mayBeOneSum(one, other, minutes);
}

function readDecimal(candle: Candle, amount: Amount): Decimal | undefined {
  return parseDecimal(amountText(candle, amount) ?? '');
}

/** Returns whether one amount is less than the other; false if one of them is unreadable. */
export function isLess(a: Candle, b: Candle, amount: Amount): boolean {
  const [one, other] = [readDecimal(a, amount), readDecimal(b, amount)];
  return one !== undefined && other !== undefined && compare(one, other) < 0;
}

export const latestGrowthRules: readonly Rule[] = [
  {
    id: 'latest/never-goes-back',
    shows: 'going back',
    section: '4.3',
    level: 'must',
    statement: 'The latest candlestick never gets older from one answer to the next.',
    broken: 'The latest candle goes back in time',
    why: 'Time that runs backwards indicates replicas out of sync.',
    exactly:
      '(S, E) never decreases, in lexicographic order, from one answer to the next of the same request.',
    restsOn: ['latest'],
    needs: latestInEachInterval,
    check: checkForward,
  },
  {
    id: growsRule,
    shows: 'going back',
    consequence: 'prices',
    section: '2.2',
    level: 'must',
    statement: 'While its interval runs, a candle keeps its open, and its high, low and volume only widen.',
    broken: 'An open candle loses prices or volume',
    why: 'The first, highest and lowest price and the volume of an observed past can change in no other way.',
    exactly:
      'for two answers with the same S: open stays, high and volume do not fall, low does not rise, the close lies between low and high.',
    restsOn: ['open', 'high', 'low', 'close', 'volume'],
    needs: latestInEachInterval,
    check: growth(shrunken),
  },
  {
    id: 'latest/usd-volume-only-grows',
    shows: 'going back',
    consequence: 'amounts',
    section: '2.2',
    level: 'should',
    uses: ['volume-usd'],
    statement: 'While its interval runs, the volume of a candle in USD only grows.',
    broken: 'The volume in USD of an open candle shrinks',
    why: 'Dollar values at the time of trade add up; a falling sum has been repriced.',
    exactly:
      'for two answers with the same S, volume-usd does not fall, unless by what adding the same doubles in another order moves.',
    restsOn: ['volume-usd'],
    needs: latestInEachInterval,
    check: growth(shrunkenWorth),
  },
];
