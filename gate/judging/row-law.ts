import {
  expectedHigh,
  expectedLow,
  hasImpossibleAverage,
  priceNotPositive,
} from '../../contract/law/candle/prices.ts';
import type { RangeKind } from '../gated.ts';
import type { TableRow, UnreadCell } from '../reading/table-row.ts';
import { quoted } from '../reading/unreadable-table.ts';

/** What one row breaks by itself. */
export type RowBreach = {
  readonly kind: RangeKind;
  readonly rules: readonly string[];
  readonly detail: string;
};

/** Rules of one row, by what they need: those of averages and volumes are judged where there are some. */
export const rowRules = [
  'candle/documented-types',
  'candle/high-is-highest',
  'candle/low-is-lowest',
  'candle/prices-are-positive',
] as const;
export const averageRule = 'candle/average-is-within-range';
export const volumeRule = 'candle/amounts-are-decimal-text';

/** Undefined for a sound row. */
export function breachOf(row: TableRow): RowBreach | undefined {
  if (row.unread !== undefined) return unreadable(row.unread);
  return isSound(row) ? undefined : impossible(row);
}

function isSound(row: TableRow): boolean {
  return (
    expectedHigh(row) === undefined &&
    expectedLow(row) === undefined &&
    priceNotPositive(row) === undefined &&
    !hasImpossibleAverage(row) &&
    !(row.volume < 0)
  );
}

function unreadable({ column, text }: UnreadCell): RowBreach {
  const actual = text === '' ? 'nothing' : quoted(text);
  return {
    kind: 'unreadable',
    rules: [rowRules[0]],
    detail: `${column}: a number was expected, ${actual} is there`,
  };
}

function impossible(row: TableRow): RowBreach | undefined {
  const notPositive = priceNotPositive(row);
  const [high, low] = [expectedHigh(row), expectedLow(row)];
  const found: [rule: string, detail: string][] = [
    ...entry(high && [rowRules[1], `high: ${high} was expected, ${row.high} is there`]),
    ...entry(low && [rowRules[2], `low: ${low} was expected, ${row.low} is there`]),
    ...entry(
      notPositive && [
        rowRules[3],
        `${notPositive}: a price above zero was expected, ${row[notPositive]} is there`,
      ],
    ),
    ...entry(
      hasImpossibleAverage(row) && [
        averageRule,
        `average: within [${row.low}, ${row.high}] was expected, ${row.avg} is there`,
      ],
    ),
    ...entry(row.volume < 0 && [volumeRule, `volume: no sign was expected, ${row.volume} is there`]),
  ];
  const [first] = found;
  return first && { kind: 'impossible', rules: found.map(([rule]) => rule), detail: first[1] };
}

function entry(found: [string, string] | '' | false | undefined): [string, string][] {
  return found ? [found] : [];
}
