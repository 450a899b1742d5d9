import type { CandleRole } from '@candleproof/document/spec/roles';
import { amountText, type Candle } from '../reading/candle.ts';
import { arithmetic, cent } from '../reading/tolerances.ts';

/** A candle with those beside it: the rows before and after it in its answer, and the plain candle of an inverted one. */
export type FormulaRow = {
  readonly candle: Candle;
  readonly before: Candle | undefined;
  readonly after: Candle | undefined;
  readonly plain: Candle | undefined;
};

/** A value that a field holds in the place of its own, as a row shows it by itself. */
export type Formula = {
  /** Words for the value: `the open`. */
  readonly words: string;
  readonly fields: readonly CandleRole[];
  /** Only inverted candles can hold it. */
  readonly isOfInverted?: true;
  /** Open candles, and those of the shortest interval, may hold it by right. */
  readonly isOfParts?: true;
  /** Returns the value; undefined where the row cannot show it. */
  readonly value: (row: FormulaRow, field: CandleRole) => number | undefined;
};

export const prices = ['open', 'high', 'low', 'close'] as const;

/** All formulas that are tried, the simplest first. */
export const formulas: readonly Formula[] = [
  {
    words: 'not inverted',
    isOfInverted: true,
    fields: prices,
    value: ({ plain }, field) => plain && readField(plain, field),
  },
  ...prices.map(
    (name): Formula => ({ words: `the ${name}`, fields: ['average'], value: ({ candle }) => candle[name] }),
  ),
  { words: 'not inverted', isOfInverted: true, fields: ['average'], value: ({ plain }) => plain?.avg },
  {
    words: 'the inverse of the plain average',
    isOfInverted: true,
    fields: ['average'],
    value: ({ candle, plain }) => plain && (plain.open * candle.open) / plain.avg,
  },
  { words: 'that of the candle before', fields: ['average'], value: ({ before }) => before?.avg },
  {
    words: 'the mean of open and close',
    fields: ['average'],
    value: ({ candle }) => (candle.open + candle.close) / 2,
  },
  {
    words: 'the mean of high and low',
    fields: ['average'],
    value: ({ candle }) => (candle.high + candle.low) / 2,
  },
  {
    words: 'the mean of high, low and close',
    fields: ['average'],
    value: ({ candle: { high, low, close } }) => (high + low + close) / 3,
  },
  {
    words: 'the mean of open, high, low and close',
    fields: ['average'],
    value: ({ candle: { open, high, low, close } }) => (open + high + low + close) / 4,
  },
  {
    words: 'the close times the seconds of the candle',
    fields: ['average'],
    value: ({ candle: { close, start, end } }) => close * (end - start),
  },
  { words: 'the close of the candle before', fields: ['open'], value: ({ before }) => before?.close },
  { words: 'the open of the candle after', fields: ['close'], value: ({ after }) => after?.open },
  { words: 'the open', fields: ['close'], value: ({ candle }) => candle.open },
  {
    words: 'the volume at the rate of the liquidity beside it',
    isOfParts: true,
    fields: ['volume-usd'],
    value: ({ candle }) =>
      (readAmount(candle, 'volume') * readAmount(candle, 'liquidity-usd')) / readAmount(candle, 'liquidity'),
  },
];

/** Returns the number that a candle holds in a field. */
export function readField(candle: Candle, field: CandleRole): number {
  if (field === 'average') return candle.avg;
  if (field === 'open' || field === 'high' || field === 'low' || field === 'close') return candle[field];
  return field === 'volume' || field === 'volume-usd' || field === 'liquidity' || field === 'liquidity-usd'
    ? readAmount(candle, field)
    : Number.NaN;
}

function readAmount(candle: Candle, amount: 'volume' | 'volume-usd' | 'liquidity' | 'liquidity-usd'): number {
  return Number(amountText(candle, amount) ?? Number.NaN);
}

/** Returns whether a row holds what a formula gives; undefined if the row cannot show it, as where all prices are the same. */
export function holdsFormula({ value }: Formula, field: CandleRole, row: FormulaRow): boolean | undefined {
  const expected = value(row, field);
  const { candle } = row;
  const isOfUsd = field === 'volume-usd';
  if (
    expected === undefined ||
    !Number.isFinite(expected) ||
    (isOfUsd ? expected === 0 : candle.low === candle.high)
  )
    return undefined;
  const actual = readField(candle, field);
  const slack = isOfUsd ? cent + expected * usdShare : Math.abs(expected) * arithmetic;
  return Math.abs(actual - expected) <= slack;
}

/** Amounts of liquidity in USD are rounded to cents, and so is the rate that they show. */
const usdShare = 1e-6;
