import type { CandleRole } from '@candleproof/document/spec/roles';
import type { Candle } from '../reading/candle.ts';
import type { Answer } from '../reading/reading.ts';
import { quoteValue } from '../reading/words.ts';

/**
 * The kind of a gap. `contradicted`: other candles hold their observations. `consistent`: nothing else holds any, so
 * no one may have observed them. `at the end`: the pool has no row after them either.
 */
export type MissingKind = 'contradicted' | 'consistent' | 'at the end';

/** A candle as a report draws it; prices as the target gave them, times in Unix seconds. */
export type DrawnCandle = Pick<Candle, 'start' | 'end' | 'open' | 'high' | 'low' | 'close'> & {
  /** Absent if the row has no readable average. */
  readonly avg?: number;
  /** The amount that the finding is about, such as a volume; absent if it is about prices or times. */
  readonly amount?: number;
  /** Its address in reports, if it is of another series than the candle in question. */
  readonly address?: string;
  /** This is the candle that the finding is about; the others are its neighbours. */
  readonly offending: boolean;
};

/** From its start to its end, in Unix seconds. */
export type MissingSlot = { readonly start: number; readonly end: number };

/** The use of a quota as an answer shows it, beside the use that the requests before it make. */
export type QuotaUse = { readonly exchange: number; readonly expected: number; readonly actual: number };

/** Evidence that a report draws besides the candles of an answer. */
export type Picture = {
  /** Intervals whose candle this answer lacks, at most 26. */
  readonly missing?: readonly MissingSlot[];
  /** All that this answer spans, in Unix seconds, and its gaps; left out if there are more than 200. */
  readonly strip?: MissingSlot & { readonly length: number; readonly gaps: readonly MissingSlot[] };
  /** The series that it is compared with, at the same time; names of both. */
  readonly other?: {
    readonly name: string;
    readonly own: string;
    /** The address of its first candle. */
    readonly address?: string;
    readonly candles: readonly DrawnCandle[];
  };
  readonly counts?: readonly QuotaUse[];
  /** Readings of clocks that contradict each other, in Unix seconds. */
  readonly instants?: readonly { readonly name: string; readonly at: number }[];
};

/** One place where a rule is broken. */
export type Breach = {
  readonly answer: Answer;
  /** JSON pointer into the body, `header:name` or `status`. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** The candles concerned, for a report to draw. */
  readonly candles?: readonly Candle[];
  /** Evidence to draw besides them; `other` are candles of another answer. */
  readonly picture?: Omit<Picture, 'other'> & {
    readonly other?: { readonly name: string; readonly own: string; readonly candles: readonly Candle[] };
  };
  /** Number of rows of the same answer that it represents, including its own; default: 1. */
  readonly times?: number;
  /** The kind of breach, if a rule distinguishes several, and a sentence for it. */
  readonly kind?: MissingKind;
  readonly sentence?: string;
};

/** The expected value, and the actual one unless it is simply the field that the rule is about. */
export type FoundValues =
  | string
  | { readonly expected: string; readonly actual?: string; readonly field?: CandleRole };

/** Makes a breach at one field of one candle; a report draws `candles`, by default this one alone. */
export function candleBreach(
  answer: Answer,
  candle: Candle,
  role: CandleRole,
  found: FoundValues,
  candles?: readonly Candle[],
): Breach {
  const { expected, field = role, ...others } = typeof found === 'string' ? { expected: found } : found;
  const name = candle.reading.fields[field] ?? field;
  return { ...fieldBreach(answer, candle, name, expected, candles), ...others };
}

/** Makes a breach at a field by its document name, since undocumented fields may differ too. */
export function fieldBreach(
  answer: Answer,
  candle: Candle,
  name: string,
  expected: string,
  candles: readonly Candle[] = [candle],
): Breach {
  const pointer = answer.fieldPointer?.(candle.row, name) ?? `${rowPointer(answer, candle.row)}/${name}`;
  return { answer, pointer, expected, actual: quoteValue(candle.record[name]), candles };
}

/** Returns the JSON pointer to a record within its answer. */
export function rowPointer({ rowsAt, isList }: Answer, row: number): string {
  return isList ? `${rowsAt}/${row}` : rowsAt;
}
