import { amounts, tradeSums } from '@candleproof/document/spec/roles';
import type { Candle } from '../../reading/candle.ts';
import { isAverageWithin, rawAmount, rawField } from '../../reading/candle.ts';
import { oncePer } from '../../reading/once.ts';
import { readNumber } from '../../reading/read-candles.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import {
  arithmetic,
  dateLagSeconds,
  measurePrecision,
  roundingShare,
  settlingSeconds,
} from '../../reading/tolerances.ts';
import { describe } from '../../reading/words.ts';
import { answersWithRows } from '../../relations/evidence.ts';
import { hasClock, intervalLength } from '../../relations/series.ts';
import { candleCheck, selectedCandleCheck } from '../checks.ts';
import { anyCandles } from '../needs.ts';
import type { Rule } from '../rule.ts';
import { isOfNothing } from './prices.ts';

const noSuchField = 'The document of the proof has no such field; APIs that have it are judged by it.';

const neverNegative = [...amounts, ...tradeSums];

/** Returns whether an amount is below zero, as a number or as text of any form. */
function isNegative(value: unknown): boolean {
  if (typeof value === 'number') return value < 0;
  return typeof value === 'string' && value.charCodeAt(0) === 45 && Number(value) < 0;
}

/** Returns a candle's volume-weighted mean price; NaN if it has none or saw no trade. */
export function readVwap(candle: Candle): number {
  const vwap = readNumber(rawField(candle, 'vwap'));
  return isOfNothing(candle, 0) ? Number.NaN : vwap;
}

/** Measures the digits in which an answer reports its volume-weighted mean prices. */
export const vwapPrecision = oncePer(({ candles }: CandleAnswer) =>
  measurePrecision(candles.map(readVwap).filter((price) => Number.isFinite(price))),
);

/** Measures the digits in which an answer reports its extremes. */
const extremePrecision = oncePer(({ candles }: CandleAnswer) =>
  measurePrecision(candles.flatMap(({ low, high }) => [low, high]).filter((price) => Number.isFinite(price))),
);

/** Returns the expected range of a mean price, in words; undefined if the price is within, by its reported digits. */
function expectedRange(candle: Candle, answer: CandleAnswer): string | undefined {
  const { low, high } = candle;
  const prices = { low, high, avg: readVwap(candle) };
  if (isAverageWithin(prices, arithmetic) || Number.isNaN(low + high + prices.avg) || low > high)
    return undefined;
  const rounding =
    roundingShare(prices.avg, vwapPrecision(answer)) + roundingShare(low, extremePrecision(answer));
  return isAverageWithin(prices, rounding) && prices.avg > 0 ? undefined : `within [${low}, ${high}]`;
}

const must = { section: '', level: 'must', needs: anyCandles } as const;

export const tradingRules: readonly Rule[] = [
  {
    id: 'candle/amounts-are-not-negative',
    shows: 'out of range',
    ...must,
    consequence: 'amounts',
    uses: ['volume'],
    statement: 'Volumes, liquidity and trade counts are not negative.',
    broken: 'Amounts are negative',
    why: 'Nobody trades less than nothing; sums over rows with negative amounts are too small.',
    exactly:
      'every one of them ≥ 0, even where the schema accepts less; values that the schema refuses are left to its rules.',
    restsOn: ['volume'],
    noFaultReason:
      'The document that the proof uses allows no sign in amounts, and another rule reports that.',
    check: candleCheck('volume', (candle, { misshapen }) => {
      const field = neverNegative.find((field) => isNegative(rawAmount(candle, field)));
      if (field === undefined) return undefined;
      const name = candle.reading.fields[field];
      if (misshapen.some((misfit) => misfit.row === candle.row && misfit.field === name)) return undefined;
      return { field, expected: '0 or more', actual: describe(rawAmount(candle, field)) };
    }),
  },
  {
    id: 'candle/vwap-is-within-range',
    ...must,
    consequence: 'prices',
    uses: ['vwap'],
    statement: 'The volume-weighted average price lies between low and high.',
    broken: 'Volume-weighted averages lie outside low and high',
    why: 'A mean lies within the range of the averaged prices.',
    exactly:
      'low ≤ vwap ≤ high, within 10⁻⁹ and the reported digits. Where the volume is 0 it may have any value.',
    noFaultReason: noSuchField,
    check: candleCheck('vwap', expectedRange),
  },
  {
    id: 'candle/is-marked-closed-when-over',
    ...must,
    consequence: 'latest',
    uses: ['closed'],
    statement: 'A row is marked as closed when its interval is over, and not before.',
    broken: 'Rows are marked as closed or open at the wrong time',
    why: 'Clients store what is marked as closed and never request it again.',
    exactly:
      'closed ⇒ S + L ≤ now + 2, and not closed ⇒ S + L > now − 120. The newest row of an answer may stay open, since a market that fell silent never closes it.',
    noFaultReason: noSuchField,
    check: selectedCandleCheck(
      (evidence) => answersWithRows(evidence).filter(hasClock),
      'closed',
      (candle, answer) => {
        const { from, to } = answer.nowWithin ?? { from: Number.NaN, to: Number.NaN };
        const end = candle.start + intervalLength(answer);
        if (candle.closed === true && end > to + dateLagSeconds) return 'open: its interval is running';
        const isOver = end <= from - settlingSeconds && candle !== answer.inTime.at(-1);
        return candle.closed === false && isOver ? 'closed: its interval is over' : undefined;
      },
    ),
  },
];
