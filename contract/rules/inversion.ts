import { amountText, type Candle } from '../candle.ts';
import { invertedHistory, invertedLatest } from '../needs.ts';
import type { CandleAnswer } from '../reading.ts';
import { candleBreach, type Need, type Rule, type Sight } from '../rule.ts';
import { isClosed, joined } from '../series.ts';
import { meanIsOfInverses, meansWithinBounds } from './inversion-average.ts';
import { constants, type Range, type Twins, twins } from './inversion-constant.ts';
import { checkDefault, defaultNeeds } from './inversion-default.ts';
import { eachTwin } from './inversion-twins.ts';

/** Products that inversion makes one constant: first with first, last with last. */
const ends = [
  ['open', 'open'],
  ['close', 'close'],
] as const;

/** Inversion turns the highest price into the lowest. */
const extremes = [
  ['high', 'low'],
  ['low', 'high'],
] as const;

type Fields = readonly (readonly ['open' | 'close' | 'high' | 'low', 'open' | 'close' | 'high' | 'low'])[];

/** A check that the products of these fields meet the constant that all candles of the pool have in common. */
function productsMeet(fields: Fields): Rule['check'] {
  return function* check(evidence) {
    const known = constants(evidence);
    for (const pair of twins(evidence)) {
      yield { judged: pair.inverted };
      for (const [plain, inverted] of pair.candles) {
        const constant = known.get(pair.pool);
        const off = constant && fields.find(([one, other]) => !meets(plain[one] * inverted[other], constant));
        if (!off || !constant) continue;
        const [one, other] = off;
        const found = {
          expected: `${one} × inverted ${other} = ${middleOf(constant)}, as in the pool's other candles`,
          actual: String(plain[one] * inverted[other]),
        };
        const breach = candleBreach(pair.inverted, inverted, other, found);
        yield { breach: { ...breach, candles: [plain, inverted] } };
      }
    }
  };
}

function meets(product: number, { from, to }: Range): boolean {
  return Number.isNaN(product) || (product >= from && product <= to);
}

function middleOf({ from, to }: Range): string {
  return String(Number(((from + to) / 2).toPrecision(9)));
}

/** The same intervals, with the same times, on both sides. */
function* checkSameCandles(pair: Twins): Generator<Sight> {
  const closed = ({ candles }: CandleAnswer): Candle[] =>
    candles.filter((each) => isClosed(each, pair.plain) && isClosed(each, pair.inverted));
  const [one, other] = [closed(pair.plain), closed(pair.inverted)];
  const partners = new Map([...joined(pair.inverted, pair.plain)]);
  if (one.length !== other.length || partners.size !== other.length) {
    const actual = `${other.length} closed candles, ${partners.size} of them the same intervals`;
    yield {
      breach: {
        answer: pair.inverted,
        pointer: '',
        expected: `the ${one.length} closed candles of the plain answer`,
        actual,
      },
    };
  }
  for (const [inverted, plain] of partners) {
    if (inverted.end === plain.end || Number.isNaN(inverted.end + plain.end)) continue;
    yield {
      breach: candleBreach(pair.inverted, inverted, 'timestampSeconds', `${plain.end}, as the plain candle`),
    };
  }
}

const amountsAlike = (
  fields: readonly ('volume' | 'liquidity' | 'volumeUsd' | 'liquidityUsd')[],
): Rule['check'] =>
  eachTwin((plain, inverted) => {
    const field = fields.find((each) => {
      const [one, other] = [amountText(plain, each), amountText(inverted, each)];
      return one !== undefined && other !== undefined && one !== other;
    });
    return field && { field, expected: `${amountText(plain, field)}, as without inversion` };
  });

const needs: readonly Need[] = [...invertedHistory, ...invertedLatest];

export const inversionRules: readonly Rule[] = [
  {
    id: 'inversion/left-out-means-false',
    section: '4.2',
    level: 'must',
    statement: 'Without the parameter `inverted` the answer is that of inverted=false.',
    why: 'It is the documented default; a client that spells it out must not get another market.',
    needs: defaultNeeds,
    check: checkDefault,
  },
  {
    id: 'inversion/same-candles',
    section: '4.2',
    level: 'must',
    statement: 'Inverted and plain answers hold the same closed candles, with the same times.',
    why: 'Inversion is another view of the same data.',
    needs: invertedHistory,
    check: function* (evidence) {
      for (const pair of twins(evidence)) {
        yield { judged: pair.inverted };
        if (pair.plain.asked.operation === 'listV2PoolCandles') yield* checkSameCandles(pair);
      }
    },
  },
  {
    id: 'inversion/first-and-last-are-inverse',
    section: '4.2',
    level: 'must',
    statement: 'A price times its inverse is one constant of the pool, for open and close of all candles.',
    why: 'A pair quoted the other way round is worth the same.',
    needs,
    check: productsMeet(ends),
  },
  {
    id: 'inversion/extremes-are-swapped',
    section: '4.2',
    level: 'must',
    statement: 'high × inverted low and low × inverted high are that same constant.',
    why: 'The highest price is the lowest one seen from the other side.',
    needs,
    check: productsMeet(extremes),
  },
  {
    id: 'inversion/averages-are-within-bounds',
    section: '4.2',
    level: 'should',
    statement: 'The product of both averages lies between that constant and what the extremes allow.',
    why: 'Outside these bounds no set of minutely prices has both averages.',
    needs,
    check: meansWithinBounds,
  },
  {
    id: 'inversion/average-is-of-inverses',
    section: '4.2',
    level: 'should',
    statement: 'The inverted average is the mean of inverted prices, not the inverse of the mean.',
    why: 'avg is the average of the minutely prices; inverted data average inverted prices.',
    needs: invertedHistory,
    check: meanIsOfInverses,
  },
  {
    id: 'inversion/usd-stays',
    section: '2.2',
    level: 'must',
    statement: 'Volume and liquidity in USD are the same with and without inversion.',
    why: 'A dollar amount has no direction.',
    needs,
    check: amountsAlike(['volumeUsd', 'liquidityUsd']),
  },
  {
    id: 'inversion/tinybars-stay',
    section: '2.2',
    level: 'should',
    statement: 'Volume and liquidity in tinybars are the same with and without inversion.',
    why: 'Both are told in tinybars, whichever token is priced.',
    needs,
    check: amountsAlike(['volume', 'liquidity']),
  },
];
