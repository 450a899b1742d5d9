import type { PriceRow } from '@candleproof/law/reading/candle';
import { arithmetic } from '@candleproof/law/reading/tolerances';
import { makeFamily, withTrade } from '@candleproof/law/relations/families';
import {
  expectedHigh,
  expectedLow,
  hasImpossibleAverage,
  type Prices,
  priceNotPositive,
} from '@candleproof/law/rules/candle/prices';
import {
  expectedClose,
  expectedHighest,
  expectedLowest,
  expectedMeanBounds,
  expectedOpen,
  expectedVolume,
} from '@candleproof/law/rules/rollup/family-values';
import type { RangeKind } from '../gated.ts';
import { quote, type TableRow, type UnreadCell } from '../reading/table.ts';
import type { QuoteVolume } from './quote-volume.ts';
import { evenSingles } from './single-precision.ts';

export type RowBreach = {
  readonly kind: RangeKind;
  readonly rules: readonly string[];
  readonly detail: string;
  /** The columns that are wrong, if the others are not. */
  readonly columns?: readonly string[];
};

const readableRule = 'candle/documented-types';
export const highRule = 'candle/high-is-highest';
export const lowRule = 'candle/low-is-lowest';
export const positiveRule = 'candle/prices-are-positive';

/** The rules of every row. Those of averages and volumes apply if a row has them. */
export const rowRules = [readableRule, highRule, lowRule, positiveRule] as const;
export const averageRule = 'candle/average-is-within-range';
export const volumeRule = 'candle/amounts-are-decimal-text';

/**
 * Returns the breach of a row, or undefined for a sound row. `quotes` compares the quote volume of a table that has it;
 * `averageStep` is the last digit of averages, which may be rounded more than prices.
 */
export function findRowBreach(row: TableRow, averageStep = 0, quotes?: QuoteVolume): RowBreach | undefined {
  if (row.unread !== undefined) return unreadableBreach(row.unread);
  if (!isSound(row, averageStep) && !isSound(evenSingles(row), averageStep))
    return impossibleBreach(row, averageStep);
  const detail = quotes?.explain(row);
  return detail === undefined
    ? undefined
    : { kind: 'impossible', rules: [averageRule], detail, columns: amountColumns };
}

const amountColumns = ['volume', 'quote-volume'] as const;

function isSound(row: TableRow, averageStep: number): boolean {
  const { open, high, low, close, avg, volume } = row;
  const isBetween = low > 0 && low <= open && low <= close && open <= high && close <= high;
  // Most rows need no allowance.
  if (isBetween && Number.isNaN(avg) && !(volume < 0)) return true;
  return (
    // Adjusted prices are products of doubles.
    expectedHigh(row, arithmetic) === undefined &&
    expectedLow(row, arithmetic) === undefined &&
    priceNotPositive(row) === undefined &&
    !hasBadAverage(row, averageStep) &&
    !(row.volume < 0)
  );
}

/** Returns whether an average cannot be right; one of 0 beside a volume of 0 is an average of nothing. */
function hasBadAverage(row: TableRow, step: number): boolean {
  if (!hasImpossibleAverage(row) || (row.avg === 0 && row.volume === 0)) return false;
  const { low, avg, high } = row;
  return avg <= 0 || avg < low - halfDigit * step || avg > high + halfDigit * step;
}

/** Share of the last digit by which rounding moves a value, with that of doubles. */
const halfDigit = 0.501;

function unreadableBreach({ column, text }: UnreadCell): RowBreach {
  const actual = text === '' ? 'nothing' : quote(text);
  return {
    kind: 'unreadable',
    rules: [readableRule],
    detail:
      column === 'time'
        ? `time: the unit of the first rows was expected, ${text} is there`
        : `${column}: a number was expected, ${actual} is there`,
  };
}

function impossibleBreach(row: TableRow, averageStep: number): RowBreach | undefined {
  const notPositive = priceNotPositive(row);
  const found: [rule: string, detail: string][] = [
    ...(notPositive ? [blamePrice(row, notPositive)] : blameRange(row)),
    ...entry(
      hasBadAverage(row, averageStep) && [
        averageRule,
        `average: within [${row.low}, ${row.high}] was expected, ${row.avg} is there`,
      ],
    ),
    ...entry(row.volume < 0 && [volumeRule, `volume: no sign was expected, ${row.volume} is there`]),
  ];
  const [first] = found;
  const rules = found.map(([rule]) => rule);
  const columns = rules.every((rule) => rule === averageRule)
    ? ['average']
    : rules.every((rule) => rule === volumeRule)
      ? ['volume']
      : undefined;
  return first && { kind: 'impossible', rules, detail: first[1], ...(columns && { columns }) };
}

/** Blames a price of zero or below for the row. High and low are not compared with it. */
function blamePrice(row: TableRow, name: keyof Prices): [string, string] {
  return [positiveRule, `${name}: a price above zero was expected, ${row[name]} is there`];
}

/** Blames the high, the low or both; says that they are swapped if the row is sound the other way round. */
function blameRange(row: TableRow): [string, string][] {
  const [high, low] = [expectedHigh(row, arithmetic), expectedLow(row, arithmetic)];
  const words = isSwapped(row) ? `high ${row.high} and low ${row.low} are swapped` : undefined;
  return [
    ...entry(high && [highRule, words ?? `high: ${high} was expected, ${row.high} is there`]),
    ...entry(low && [lowRule, words ?? `low: ${low} was expected, ${row.low} is there`]),
  ];
}

/** Returns whether high and low are the greatest and the least of a row, without any allowance. */
export function isOrdered({ open, high, low, close }: Prices): boolean {
  return high >= Math.max(open, close) && low <= Math.min(open, close);
}

/** Returns whether the prices of a row are sound only with high and low exchanged. */
function isSwapped({ open, high, low, close }: Prices): boolean {
  if (!(high < low)) return false;
  const turned = { open, high: low, low: high, close };
  return expectedHigh(turned, arithmetic) === undefined && expectedLow(turned, arithmetic) === undefined;
}

function entry(found: [string, string] | '' | false | undefined): [string, string][] {
  return found ? [found] : [];
}

/** A placed row, as a roll-up needs it; its volume is the text of its cell. */
export type PlacedRow = PriceRow & {
  readonly line: number;
  /** True if the volume is a turnover. */
  readonly isTurnover?: boolean;
};

/** Share by which the turnover of a candle may differ from that of its parts: each may be valued at a rate of its own. */
const turnoverSlack = 0.01;

function isNearSum(parent: PlacedRow, children: readonly PlacedRow[]): boolean {
  const sum = children.reduce((all, { volume }) => all + Number(volume), 0);
  return Math.abs(sum - Number(parent.volume)) <= turnoverSlack * Math.max(sum, Number(parent.volume));
}

/** The rules of a candle and its parts, with their fields. */
const tests = [
  ['rollup/open-is-the-first', 'open', expectedOpen],
  ['rollup/close-is-the-last', 'close', expectedClose],
  ['rollup/high-is-the-highest', 'high', expectedHighest],
  ['rollup/low-is-the-lowest', 'low', expectedLowest],
  ['rollup/volume-is-summed', 'volume', expectedVolume],
  ['rollup/average-is-within-its-parts', 'avg', expectedMeanBounds],
] as const;

export const familyRules = tests.map(([id]) => id);

export type FamilyBreach = { readonly rule: string; readonly detail: string };

/** Returns the breaches of a candle and its complete parts, which are in order of time. */
export function findFamilyBreaches(
  parent: PlacedRow,
  children: readonly PlacedRow[],
  partLength: number,
): FamilyBreach[] {
  const isDouble = [parent, ...children].some(({ volume }) => isDoubleText(String(volume)));
  const isOfTurnover = parent.isTurnover === true;
  const [whole, parts] = isDouble ? [readDouble(parent), children.map(readDouble)] : [parent, children];
  const hasVolume = children.every(({ volume }) => volume !== '');
  const traded = hasVolume && Number.isNaN(parent.avg) ? withTrade(parts) : parts;
  const family = makeFamily(whole, parts, traded, partLength);
  return tests.flatMap(([rule, field, test]) => {
    const expected = test(family);
    const isRounded = isOfTurnover && field === 'volume' && isNearSum(parent, children);
    return expected === undefined || isRounded
      ? []
      : [{ rule, detail: `${field}: ${expected} was expected, ${whole[field]} is there` }];
  });
}

/** The way in which volumes of files are read: as exact decimals. */
export const decimalVolume: PlacedRow['reading'] = { fields: {}, forms: { volume: 'text' } };

/** Volumes are doubles if one was written as such, 0.30000000000000004 or 1e-7: their sums have rounding errors. */
function readDouble(row: PlacedRow): PlacedRow {
  return { ...row, volume: Number(row.volume || Number.NaN), reading: { fields: {}, forms: {} } };
}

function isDoubleText(text: string): boolean {
  if (/e/i.test(text)) return true;
  const digits = text.replace(/^0\.0*|\./, '').length;
  return text.includes('.') && digits >= 15 && digits <= 17;
}
