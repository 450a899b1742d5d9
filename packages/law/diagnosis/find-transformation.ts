import { median } from '../reading/statistics.ts';
import { arithmetic, changedShares } from '../reading/tolerances.ts';
import { type ComparedField, comparedFields } from './comparisons.ts';
import { fits, type Transformation, type ValueSample } from './transformations.ts';

/** The least share of the samples that a transformation has to explain. */
export const minFittingShare = 0.95;

/** Fewer samples show no transformation, and no factor unless it has one digit. */
const minSamples = 2;
const fewestRatios = 3;

/** Returns what turns the expected values of a field into the actual ones, the simplest first; undefined if nothing does. */
export function findTransformation(
  field: ComparedField,
  samples: readonly ValueSample[],
): Transformation | undefined {
  if (samples.length < minSamples) return undefined;
  return (
    (isAmount(field) ? findFitting(field, samples, ofAmounts) : undefined) ??
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
  return samples.filter(fits).length >= minFittingShare * samples.length;
}

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

const ofAmounts: readonly Transformation[] = [{ kind: 'wrapped', bits: 32 }, { kind: 'sum of parts' }];

function isAmount(field: ComparedField): boolean {
  return /^(volume|liquidity)/.test(field);
}

/** Returns what was done to the values of all parts at once, as longer candles beside their parts show it. */
export function findCommonTransformation(
  field: ComparedField,
  samples: readonly ValueSample[],
): Transformation | undefined {
  if (samples.length < fewestRatios) return undefined;
  return findFitting(field, samples, [...(isAmount(field) ? ofAmounts : []), ...ofParts]);
}

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
  const near = Math.max(changedShares.factor * Math.min(effect, 1), arithmetic);
  const isFitting = (ratio: number): boolean => Math.abs(ratio / factor - 1) <= near;
  if (ratios.length < fewestRatios && !ratios.every(hasOneDigit)) return undefined;
  if (
    !Number.isFinite(factor) ||
    factor === 0 ||
    effect < 1e-7 ||
    ratios.filter(isFitting).length < minFittingShare * ratios.length
  )
    return undefined;
  const close = ratios.filter(isFitting);
  return { kind: 'factor', factor: roundWithin(factor, Math.min(...close), Math.max(...close)) };
}

/** Returns whether a ratio is a number such as 2, or about a power of ten, which two values do not have by chance. */
function hasOneDigit(ratio: number): boolean {
  const power = 10 ** Math.round(Math.log10(Math.abs(ratio)));
  const isPower = power !== 1 && Math.abs(ratio / power - 1) <= changedShares.factor;
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
