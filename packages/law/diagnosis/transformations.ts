import { median } from '../reading/statistics.ts';
import { arithmetic } from '../reading/tolerances.ts';
import { type CandleValues, type ComparedField, comparedFields } from './comparisons.ts';

/** A change of the values of a field, whose parameters the rows give. */
export type Transformation =
  | { readonly kind: 'factor'; readonly factor: number }
  | { readonly kind: 'column'; readonly column: ComparedField }
  | { readonly kind: 'row before' | 'row after' | 'not inverted' }
  | { readonly kind: 'rounded'; readonly digits: number }
  | { readonly kind: 'rounded'; readonly decimals: number }
  /** The value of one part alone, the first of which is 0 and the last -1; or their sum without it. */
  | { readonly kind: 'part' | 'without part'; readonly at: number }
  | { readonly kind: 'mean of parts' | 'without wicks' | 'part before too' | 'part after too' | 'other pool' }
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

/** The least share of the samples that a transformation has to explain. */
export const leastFitting = 0.95;

/** Fewer samples show no transformation, and no factor unless it has one digit. */
const fewestSamples = 2;
const fewestRatios = 3;

/** Returns what turns the expected values of a field into the actual ones, the simplest first; undefined if nothing does. */
export function findTransformation(
  field: ComparedField,
  samples: readonly ValueSample[],
): Transformation | undefined {
  if (samples.length < fewestSamples) return undefined;
  return (
    findConstant(samples) ??
    findFitting(field, samples, copies) ??
    findFitting(field, samples, ofColumns('column')) ??
    findFitting(field, samples, [{ kind: 'other pool' }, ...ofColumns('column before')]) ??
    findFitting(field, samples, ofParts) ??
    findFactor(samples) ??
    findFitting(field, samples, ofColumns('product')) ??
    findRounding(samples)
  );
}

function holds(samples: readonly ValueSample[], fits: (sample: ValueSample) => boolean): boolean {
  return samples.filter(fits).length >= leastFitting * samples.length;
}

function isEqual(one: number, other: number | undefined, share = arithmetic): boolean {
  return other !== undefined && Number.isFinite(other) && Math.abs(one - other) <= share * Math.abs(other);
}

/** The share by which a product of rounded numbers may differ. */
const closeShare = 1e-4;

/** Dollars by which the last decimal of an amount may be rounded. */
const cent = 0.01;

function findConstant(samples: readonly ValueSample[]): Transformation | undefined {
  const value = samples[0]?.actual ?? 0;
  const isTelling = new Set(samples.map(({ expected }) => expected)).size > 1;
  return isTelling && holds(samples, ({ actual }) => actual === value)
    ? { kind: 'constant', value }
    : undefined;
}

const copies: readonly Transformation[] = [
  { kind: 'not inverted' },
  { kind: 'row before' },
  { kind: 'row after' },
];

function ofColumns(kind: 'column' | 'column before' | 'product'): Transformation[] {
  return comparedFields.map((column) => ({ kind, column }));
}

/** The places of the parts that are tried are the first ones and the last ones. */
const ofParts: readonly Transformation[] = [
  { kind: 'without wicks' },
  ...[0, 1, -1, -2].map((at) => ({ kind: 'part' as const, at })),
  ...[-1, 0].map((at) => ({ kind: 'without part' as const, at })),
  { kind: 'part before too' },
  { kind: 'part after too' },
  { kind: 'mean of parts' },
];

function findFitting(
  field: ComparedField,
  samples: readonly ValueSample[],
  tried: readonly Transformation[],
): Transformation | undefined {
  return tried.find((one) => holds(samples, (sample) => fits(one, field, sample)));
}

/** A factor holds for all rows, far closer than it is from 1. */
function findFactor(samples: readonly ValueSample[]): Transformation | undefined {
  const ratios = samples.map(({ actual, expected }) => actual / expected);
  const factor = median(ratios);
  const effect = Math.abs(factor - 1);
  const near = Math.max(1e-3 * Math.min(effect, 1), arithmetic);
  const isFitting = (ratio: number): boolean => Math.abs(ratio / factor - 1) <= near;
  if (ratios.length < fewestRatios && !ratios.every(hasOneDigit)) return undefined;
  if (
    !Number.isFinite(factor) ||
    factor === 0 ||
    effect < 1e-7 ||
    ratios.filter(isFitting).length < leastFitting * ratios.length
  )
    return undefined;
  const close = ratios.filter(isFitting);
  return { kind: 'factor', factor: roundWithin(factor, Math.min(...close), Math.max(...close)) };
}

/** Returns whether a ratio is a number such as 2, or about a power of ten, which two values do not have by chance. */
function hasOneDigit(ratio: number): boolean {
  const power = 10 ** Math.round(Math.log10(Math.abs(ratio)));
  const isPower = power !== 1 && Math.abs(ratio / power - 1) <= 1e-3;
  return isPower || Math.abs(ratio / Number(ratio.toPrecision(1)) - 1) <= arithmetic;
}

/** Returns the number with the fewest digits that lies among the ratios, or as near to one as these differ. */
function roundWithin(value: number, least: number, most: number): number {
  const slack = Math.max(most - least, 1e-9 * Math.abs(value));
  for (let digits = 1; digits < 15; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (rounded >= least - slack && rounded <= most + slack) return rounded;
  }
  return value;
}

/** The most digits, or decimals, of rounded values. */
const mostDigits = 9;

function findRounding(samples: readonly ValueSample[]): Transformation | undefined {
  for (let digits = 1; digits <= mostDigits; digits++) {
    const unit = ({ expected }: ValueSample): number =>
      10 ** (Math.floor(Math.log10(Math.abs(expected))) - digits + 1);
    const byDigits: Transformation = { kind: 'rounded', digits };
    if (isRounding(byDigits, samples, unit)) return byDigits;
    const byDecimals: Transformation = { kind: 'rounded', decimals: digits };
    if (isRounding(byDecimals, samples, () => 10 ** -digits)) return byDecimals;
  }
  return undefined;
}

/** Returns whether values are rounded to a unit that is far coarser than what they are compared by. */
function isRounding(
  rounding: Transformation,
  samples: readonly ValueSample[],
  unit: (sample: ValueSample) => number,
): boolean {
  return (
    holds(samples, (sample) => fits(rounding, 'open', sample)) &&
    holds(samples, (sample) => Math.abs(sample.actual - sample.expected) <= unit(sample)) &&
    !holds(samples, (sample) => Math.abs(sample.actual - sample.expected) <= unit(sample) / 1000)
  );
}

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
        isEqual(actual, product, closeShare) || (field.endsWith('-usd') && Math.abs(actual - product) <= cent)
      );
    }
    case 'other pool':
      return ofOthers.some((other) => isEqual(actual, other[field]));
    case 'part before too':
      return parts.length > 2 && isEqual(actual, expected + (partBefore?.[field] ?? Number.NaN));
    case 'factor':
      return expected === 0 ? actual === 0 : Math.abs(actual / expected / transformation.factor - 1) <= 1e-3;
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
    case 'mean of parts':
      return parts.length > 2 && isEqual(actual, sumOf(parts, field) / parts.length);
    case 'without wicks': {
      const ends = [own, ...parts].map(({ open = Number.NaN, close = Number.NaN }) => [open, close]);
      const most = (of: readonly number[]): number =>
        field === 'high' ? Math.max(...of) : field === 'low' ? Math.min(...of) : Number.NaN;
      return isEqual(actual, most(ends[0] ?? [])) || isEqual(actual, most(ends.slice(1).flat()));
    }
  }
}

function sumOf(parts: readonly CandleValues[], field: ComparedField): number {
  return parts.reduce((total, part) => total + (part[field] ?? Number.NaN), 0);
}
