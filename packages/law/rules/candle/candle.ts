import { type Candle, reportedPool } from '../../reading/candle.ts';
import type { Misshapen } from '../../reading/read-body.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import { ulp } from '../../reading/tolerances.ts';
import { describe } from '../../reading/words.ts';
import { isInverted } from '../../relations/series.ts';
import { candleCheck, checkDepartures, concernsWhole } from '../checks.ts';
import { anyCandles } from '../needs.ts';
import type { Rule } from '../rule.ts';
import {
  describeAverage,
  expectedHigh,
  expectedLow,
  hasImpossibleAverage,
  isOfNothing,
  isRoundedToWhole,
  priceNotPositive,
} from './prices.ts';

const roles = ['history', 'latest'] as const;

const isAbsent = ({ keyword, field }: Misshapen): boolean => keyword === 'required' && field !== '';
const isBadText = ({ keyword }: Misshapen): boolean => keyword === 'pattern';

/** Returns the share by which rounding may move an inverted price: one unit in the last place. */
function inversionRounding(answer: CandleAnswer): number {
  return isInverted(answer) ? ulp : 0;
}

const must = { section: '2.2', level: 'must', needs: anyCandles } as const;

export const candleRules: readonly Rule[] = [
  {
    id: 'candle/all-fields-present',
    shows: 'missing',
    consequence: 'form',
    ...must,
    statement: 'A candlestick has all twelve fields.',
    broken: 'Candles lack documented fields',
    why: 'The document requires every one of them.',
    restsOn: ['candle'],
    namesFields: true,
    check: checkDepartures(roles, isAbsent),
  },
  {
    id: 'candle/documented-types',
    shows: 'wrong type',
    consequence: 'form',
    ...must,
    statement:
      'Each field of a candlestick has its documented type; prices and times are numbers, amounts are text.',
    broken: 'Fields of candles have undocumented types',
    why: 'Amounts sent as numbers lose digits; prices sent as text are concatenated instead of added.',
    restsOn: ['candle'],
    namesFields: true,
    check: checkDepartures(roles, (role) => !concernsWhole(role) && !isAbsent(role) && !isBadText(role)),
  },
  {
    id: 'candle/amounts-are-decimal-text',
    shows: 'wrong form',
    consequence: 'form',
    ...must,
    uses: ['volume'],
    statement:
      'Volume and liquidity, in tinybars and in USD, are plain decimal text: no sign, exponent, separator or NaN.',
    broken: 'Amounts are not plain decimal text',
    why: 'Exact decimal readers accept nothing else.',
    restsOn: ['volume', 'liquidity', 'volume-usd', 'liquidity-usd'],
    namesFields: true,
    check: checkDepartures(roles, isBadText),
  },
  {
    id: 'candle/pool-is-as-asked',
    shows: 'other pool',
    consequence: 'prices',
    ...must,
    uses: ['pool'],
    statement: 'A candlestick names the pool that was requested.',
    broken: 'Candles of another pool are served',
    why: 'Otherwise the prices are those of another market.',
    exactly: 'pool = the one in the path.',
    restsOn: ['pool'],
    check: candleCheck('pool', (candle, { requested }) => {
      const pool = reportedPool(candle);
      return typeof pool === typeof requested.pool && pool !== requested.pool
        ? String(requested.pool)
        : undefined;
    }),
  },
  {
    id: 'candle/high-is-highest',
    consequence: 'prices',
    explains: 'values',
    ...must,
    statement: 'high ≥ open, low and close.',
    broken: 'The high is below other prices of its candle',
    why: 'It is the highest price of the interval, which the other prices belong to.',
    exactly:
      'high ≥ max(open, low, close), to the last bit; one unit in the last place (2⁻⁵²) is allowed on the inverted side, where every price was rounded once.',
    restsOn: ['high'],
    check: candleCheck('high', (candle, answer) => expectedHigh(candle, inversionRounding(answer))),
  },
  {
    id: 'candle/low-is-lowest',
    consequence: 'prices',
    explains: 'values',
    ...must,
    statement: 'low ≤ open, high and close.',
    broken: 'The low is above other prices of its candle',
    why: 'It is the lowest price of the interval, which the other prices belong to.',
    exactly: 'low ≤ min(open, high, close), with the same allowance on the inverted side.',
    restsOn: ['low'],
    check: candleCheck('low', (candle, answer) => expectedLow(candle, inversionRounding(answer))),
  },
  {
    id: 'candle/average-is-within-range',
    consequence: 'prices',
    ...must,
    uses: ['average'],
    statement: 'low ≤ avg ≤ high.',
    broken: 'Averages lie outside low and high',
    why: 'A mean lies within the range of the averaged values; one that does not is useless as a price.',
    exactly:
      'low·(1 − 10⁻⁹) ≤ avg ≤ high·(1 + 10⁻⁹). Where avg divided by the seconds or minutes of the candle would fit, the finding says that the division is missing. Another API may report an average of 0 with a volume of 0.',
    restsOn: ['average'],
    check: candleCheck('average', (candle, answer, { conventions, spec }) => {
      // An average may be reported in fewer digits than the prices: rounding it is no breach.
      if (!hasImpossibleAverage(candle, conventions.averages.get(answer))) return undefined;
      if (!spec.isOurs && isOfNothing(candle, candle.avg)) return undefined;
      return { expected: `within [${candle.low}, ${candle.high}]`, actual: describeAverage(candle) };
    }),
  },
  {
    id: 'candle/prices-are-positive',
    shows: 'out of range',
    consequence: 'prices',
    explains: 'row',
    section: '2.2',
    level: 'should',
    statement: 'Open, high, low and close are above zero.',
    broken: 'Prices are zero or negative',
    why: 'A price of zero usually means that a gap was filled with zeros.',
    exactly:
      'open, high, low, close > 0. A zero is left out where all prices of the pool and side are whole numbers and their median is 1 or less: it may be rounded.',
    restsOn: ['open', 'high', 'low', 'close'],
    needs: anyCandles,
    check: candleCheck('open', (candle, answer, evidence) => {
      const field = priceNotPositive(candle);
      if (field && candle[field] === 0 && isRoundedToWhole(answer, evidence)) return undefined;
      return field && { field, expected: 'a price above zero', actual: String(candle[field]) };
    }),
  },
  {
    id: 'candle/usd-agrees-with-tinybars',
    shows: 'worthless',
    consequence: 'amounts',
    section: '2.2',
    level: 'should',
    uses: ['volume', 'volume-usd'],
    statement: 'An amount of zero is worth zero USD, and an amount worth a cent or more is above zero.',
    broken: 'Amounts in USD and tinybars contradict each other',
    why: 'Both columns describe the same trades; where they disagree, one of them is wrong.',
    exactly: 'volume 0 ⇒ volume-usd < 0.01, and volume-usd ≥ 0.01 ⇒ volume > 0; the same for liquidity.',
    restsOn: ['volume', 'liquidity', 'volume-usd', 'liquidity-usd'],
    needs: anyCandles,
    check: candleCheck('volume-usd', (candle) => {
      const amount = findContradiction(candle);
      return (
        amount && {
          field: `${amount}-usd` as const,
          expected: `a worth that fits ${amount} ${describe(candle[amount])}`,
          actual: describe(candle[`${amount}-usd`]),
        }
      );
    }),
  },
];

/** Names the amount that its USD worth contradicts; without a loop, since it runs for every row. */
function findContradiction(candle: Candle): 'volume' | 'liquidity' | undefined {
  if (isContradiction(candle.volume, candle['volume-usd'])) return 'volume';
  return isContradiction(candle.liquidity, candle['liquidity-usd']) ? 'liquidity' : undefined;
}

/** Returns whether an amount is nothing or less than one unit. */
function isSmall(amount: unknown): boolean {
  return typeof amount === 'string' && amount.startsWith('0');
}

/** Returns whether an amount contradicts its USD, which is in cents: a small amount may be worth nothing. */
function isContradiction(tinybars: unknown, usd: unknown): boolean {
  return isSmall(tinybars) && Number(tinybars) === 0 && typeof usd === 'string' && Number(usd) >= 0.01;
}
