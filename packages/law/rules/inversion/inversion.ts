import type { Amount } from '@candleproof/document/spec/roles';
import { amountText, type Candle, rawAmount } from '../../reading/candle.ts';
import { type HistoryAnswer, hasEveryStart } from '../../reading/reading.ts';
import { settlingSeconds } from '../../reading/tolerances.ts';
import {
  type CandlePair,
  closedWithin,
  type DirectionPair,
  sharedRange,
} from '../../relations/direction-pairs.ts';
import { isSameRange } from '../../relations/series.ts';
import { type Breach, candleBreach } from '../breach.ts';
import { candlesAroundGap, drawGaps } from '../history/missing-rows.ts';
import { anotherLatestInverted, anotherPoolInverted, invertedHistory, invertedLatest } from '../needs.ts';
import type { CheckOutcome, Need, Rule } from '../rule.ts';
import { meanIsOfInverses, meansWithinBounds } from './inversion-average.ts';
import { checkDefault, defaultNeeds } from './inversion-default.ts';
import { endsMeet, extremesMeet, pairCheck } from './inversion-products.ts';

/**
 * Checks that both sides have the same intervals with the same times: all of them in answers to one range, those strictly inside
 * both ranges where they differ.
 */
function* checkSameCandles(pair: HistoryPair): Generator<CheckOutcome> {
  const { plain, inverted } = pair;
  const until = Math.min(plain.nowWithin?.from ?? 0, inverted.nowWithin?.from ?? 0) - settlingSeconds;
  const whole = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const shared = isSameRange(plain, inverted) ? whole : sharedRange(plain, inverted);
  const range = { from: shared.from, to: Math.min(shared.to, until + 1) };
  const [ones, others] = [closedWithin(plain, range), closedWithin(inverted, range)];
  const starts = new Set(ones.map(({ start }) => start));
  const partners = others.filter(({ start }) => starts.has(start)).length;
  // A candle with an unreadable start may be the missing partner.
  const areReadable = hasEveryStart(plain) && hasEveryStart(inverted);
  if ((ones.length !== others.length || partners !== others.length) && areReadable) {
    const expected = `the ${ones.length} closed candles of the plain answer`;
    const actual = `${others.length} closed candles, ${partners} of them the same intervals`;
    yield { breach: { answer: inverted, pointer: '', expected, actual, ...drawLosses(pair, ones) } };
  }
  for (const { plain, inverted: candle } of pair.candles.filter(endApart)) {
    yield { breach: candleBreach(inverted, candle, 'end', `${plain.end}, as the plain candle`) };
  }
}

/** Draws the closed candles that the inverted answer lacks beside these plain ones. */
function drawLosses(
  { plain, inverted }: HistoryPair,
  due: readonly Candle[],
): Pick<Breach, 'candles' | 'picture'> {
  const known = new Set(inverted.inTime.map(({ start }) => start));
  const missing = due.map(({ start }) => start).filter((start) => !known.has(start));
  const [first] = missing;
  if (first === undefined) return {};
  return {
    candles: candlesAroundGap(inverted, first),
    picture: {
      ...drawGaps(inverted, missing),
      other: { name: 'plain', own: 'inverted', candles: candlesAroundGap(plain, first) },
    },
  };
}

/** Returns whether times differ; false if one is unreadable, since NaN compares false. */
function endApart({ plain, inverted }: CandlePair): boolean {
  return Math.abs(inverted.end - plain.end) > 0;
}

type HistoryPair = DirectionPair & { readonly plain: HistoryAnswer; readonly inverted: HistoryAnswer };

function isOfHistories(pair: DirectionPair): pair is HistoryPair {
  return pair.plain.requested.role === 'history';
}

function isOther(one: unknown, other: unknown): boolean {
  return one !== other && typeof one === 'string' && typeof other === 'string';
}

const amountsAlike = (fields: readonly Amount[]): Rule['check'] =>
  pairCheck(() => (plain, inverted) => {
    for (const field of fields) {
      if (isOther(rawAmount(plain, field), rawAmount(inverted, field)))
        return { field, expected: `${amountText(plain, field)}, as without inversion` };
    }
    return undefined;
  });

const needs: readonly Need[] = [
  ...invertedHistory,
  ...anotherPoolInverted,
  ...invertedLatest,
  anotherLatestInverted,
];

const must = { section: '4.2', level: 'must', uses: ['inverted'] } as const;

export const inversionRules: readonly Rule[] = [
  {
    id: 'inversion/left-out-means-false',
    shows: 'changing',
    ...must,
    statement: 'Without the parameter `inverted`, the answer is that of inverted=false.',
    broken: 'Leaving `inverted` out changes the answer',
    why: 'It is the documented default; a client that sends it explicitly must not get another market.',
    exactly: 'field by field the same, for closed candles of a history and for latest candles of one moment.',
    restsOn: ['inverted'],
    needs: defaultNeeds,
    check: checkDefault,
  },
  {
    id: 'inversion/same-candles',
    shows: 'missing',
    consequence: 'rows',
    ...must,
    statement: 'Inverted and plain answers contain the same closed candles with the same times.',
    broken: 'Inverted and plain answers hold different candles',
    why: 'Inversion is another view of the same data.',
    exactly:
      'the same S and E for every closed candle; of answers to ranges that differ, for those strictly inside both.',
    restsOn: ['inverted'],
    needs: invertedHistory,
    alsoReads: ['latest'],
    check: function* ({ directionPairs }) {
      for (const pair of directionPairs()) {
        yield { judged: pair.inverted };
        if (isOfHistories(pair)) yield* checkSameCandles(pair);
      }
    },
  },
  {
    id: 'inversion/first-and-last-are-inverse',
    ...must,
    statement: 'A price times its inverse is one constant of the pool, for open and close of all candles.',
    broken: 'Inverted opens and closes are not the inverse',
    why: 'A pair quoted the other way around has the same value.',
    exactly:
      'with p′ = K ÷ p: open·open′ = close·close′ = K, one K for each pool, in all of its intervals, latest candles and histories, within 2·(τ + τ′ + 10⁻⁹), where τ is half of the last digit that a price is reported with, as a share of it. K is the median of the opens or closes of one interval: of one that is a power of ten, if there is one, then of one that most others meet. Where all prices of an inverted answer are the plain ones and these move, inversion is ignored: p² is no constant, and no other answer has to show K. Undecided where one price alone is seen, the same on both sides.',
    restsOn: ['inverted', 'open', 'close'],
    needs,
    check: endsMeet,
  },
  {
    id: 'inversion/extremes-are-swapped',
    ...must,
    statement: 'high × inverted low and low × inverted high are that same constant.',
    broken: 'Inverted highs and lows are not the swapped inverse',
    why: 'The highest price is the lowest one seen from the other side.',
    exactly:
      'high·low′ = low·high′ = K, within the same width: the highest price is the lowest one inverted.',
    restsOn: ['inverted', 'high', 'low'],
    needs,
    check: extremesMeet,
  },
  {
    id: 'inversion/averages-are-within-bounds',
    section: '4.2',
    level: 'should',
    uses: ['inverted', 'average'],
    statement:
      'The product of both averages lies between that constant and the maximum that the extremes allow.',
    broken: 'Inverted averages are impossible',
    why: 'Outside these bounds no set of minutely prices has both averages.',
    exactly:
      "K ≤ avg·avg′ ≤ K·(1 + w) with w = (high − low)² ÷ (4·high·low). The first is Jensen's inequality, the second Kantorovich's. Both sides are widened by 2·(n + 8)·2⁻⁵³ and the rounding of what is reported, n = minutes + 1.",
    restsOn: ['inverted', 'average'],
    needs,
    check: meansWithinBounds,
  },
  {
    id: 'inversion/average-is-of-inverses',
    section: '4.2',
    level: 'should',
    uses: ['inverted', 'average'],
    statement: 'The inverted average is the mean of inverted prices, not the inverse of the mean.',
    broken: 'Inverted averages are not those of inverted prices',
    why: 'avg is the average of the minutely prices; inverted data average inverted prices.',
    exactly:
      'avg·avg′ ≥ K·(1 + 2w ÷ ((√(1 + w) + 1)·n))², which Cauchy and Schwarz give for n observations that hold both extremes besides open and close. It is checked only where open and close are not extremes, and where that bound exceeds four times the rounding.',
    restsOn: ['inverted', 'average'],
    needs: invertedHistory,
    alsoReads: ['latest'],
    check: meanIsOfInverses,
  },
  {
    id: 'inversion/usd-stays',
    consequence: 'amounts',
    section: '2.2',
    level: 'must',
    uses: ['inverted', 'volume-usd'],
    statement: 'Volume and liquidity in USD are the same with and without inversion.',
    broken: 'Inversion changes amounts in USD',
    why: 'A dollar amount does not depend on the direction of the pair.',
    exactly: 'volume-usd and liquidity-usd are the same text on both sides.',
    restsOn: ['inverted', 'volume-usd', 'liquidity-usd'],
    needs,
    check: amountsAlike(['volume-usd', 'liquidity-usd']),
  },
  {
    id: 'inversion/tinybars-stay',
    consequence: 'amounts',
    section: '2.2',
    level: 'should',
    uses: ['inverted', 'volume'],
    statement: 'Volume and liquidity in tinybars are the same with and without inversion.',
    broken: 'Inversion changes amounts in tinybars',
    why: 'Both are reported in tinybars, whichever token is priced.',
    exactly: 'volume and liquidity are the same text on both sides.',
    restsOn: ['inverted', 'volume', 'liquidity'],
    needs,
    check: amountsAlike(['volume', 'liquidity']),
  },
];
