import { arithmetic, cent, changedShares } from '../reading/tolerances.ts';
import { type CandleValues, type ComparedField, sumValues } from './comparisons.ts';

/** A change of the values of a field, whose parameters the rows give. */
export type Transformation =
  | { readonly kind: 'factor'; readonly factor: number }
  | { readonly kind: 'column'; readonly column: ComparedField }
  | { readonly kind: 'row before' | 'row after' | 'not inverted' }
  | { readonly kind: 'rounded'; readonly digits: number }
  | { readonly kind: 'rounded'; readonly decimals: number }
  /** The value of one part alone, the first of which is 0 and the last -1; or their sum without it. */
  | { readonly kind: 'part' | 'without part'; readonly at: number }
  | { readonly kind: 'wrapped'; readonly bits: number }
  | {
      readonly kind:
        | 'running total'
        | 'sum of parts'
        | 'mean of parts'
        | 'without wicks'
        | 'part before too'
        | 'part after too'
        | 'other pool';
    }
  /** Multiplied by another field of the same candle, or the value of another field of the candle before. */
  | { readonly kind: 'product' | 'column before'; readonly column: ComparedField }
  | { readonly kind: 'constant'; readonly value: number };

/** A wrong value, what it should be, and what is known of the same candle, of its neighbours and of the other side. */
export type ValueSample = {
  readonly actual: number;
  readonly expected: number;
  readonly row: CandleValues;
  readonly before?: CandleValues | undefined;
  readonly after?: CandleValues | undefined;
  /** The values of the plain candle, of an inverted one. */
  readonly plain?: CandleValues | undefined;
  /** The values of the candle itself, and of its parts in order; none if it is compared with the other side. */
  readonly own: CandleValues;
  readonly parts: readonly CandleValues[];
  /** The last part of the candle before, the first one of the candle after, and the candles of other pools at the same time. */
  readonly partBefore?: CandleValues | undefined;
  readonly partAfter?: CandleValues | undefined;
  readonly ofOthers: readonly CandleValues[];
};

/** Returns whether a transformation explains a value, also one that it leaves as it is. */
export function fits(transformation: Transformation, field: ComparedField, sample: ValueSample): boolean {
  const { actual, expected, row, before, after, plain, own, parts, ofOthers } = sample;
  const { partBefore, partAfter } = sample;
  switch (transformation.kind) {
    case 'constant':
      return actual === transformation.value;
    case 'not inverted':
      return isEqual(actual, plain?.[field]);
    case 'row before':
      return isEqual(actual, before?.[field]);
    case 'row after':
      return isEqual(actual, after?.[field]);
    case 'column':
      return transformation.column !== field && isEqual(actual, row[transformation.column]);
    case 'column before':
      return transformation.column !== field && isEqual(actual, before?.[transformation.column]);
    case 'product': {
      const product = expected * (own[transformation.column] ?? Number.NaN);
      return (
        isEqual(actual, product, changedShares.product) ||
        (field.endsWith('-usd') && Math.abs(actual - product) <= cent)
      );
    }
    case 'other pool':
      return ofOthers.some((other) => isEqual(actual, other[field]));
    case 'part before too':
      return parts.length > 2 && isEqual(actual, expected + (partBefore?.[field] ?? Number.NaN));
    case 'factor':
      return expected === 0
        ? actual === 0
        : Math.abs(actual / expected / transformation.factor - 1) <= changedShares.factor;
    case 'rounded':
      return isEqual(
        actual,
        Number(
          'digits' in transformation
            ? actual.toPrecision(transformation.digits)
            : actual.toFixed(transformation.decimals),
        ),
      );
    case 'part':
      return parts.length > 2 && isEqual(actual, parts.at(transformation.at)?.[field]);
    case 'without part':
      return (
        parts.length > 2 && isEqual(actual, expected - (parts.at(transformation.at)?.[field] ?? Number.NaN))
      );
    case 'part after too':
      return parts.length > 2 && isEqual(actual, expected + (partAfter?.[field] ?? Number.NaN));
    case 'wrapped': {
      const modulus = 2 ** transformation.bits;
      return actual < modulus && Number.isInteger(actual) && (expected - actual) % modulus === 0;
    }
    case 'running total':
      return isEqual(actual, parts.at(-1)?.[field]);
    case 'sum of parts':
      return parts.length > 1 && isEqual(actual, sumValues(parts, field));
    case 'mean of parts':
      return parts.length > 2 && isEqual(actual, sumValues(parts, field) / parts.length);
    case 'without wicks': {
      const ends = [own, ...parts].map(({ open = Number.NaN, close = Number.NaN }) => [open, close]);
      const most = (of: readonly number[]): number =>
        field === 'high' ? Math.max(...of) : field === 'low' ? Math.min(...of) : Number.NaN;
      return isEqual(actual, most(ends[0] ?? [])) || isEqual(actual, most(ends.slice(1).flat()));
    }
  }
}

function isEqual(one: number, other: number | undefined, share = arithmetic): boolean {
  return other !== undefined && Number.isFinite(other) && Math.abs(one - other) <= share * Math.abs(other);
}
