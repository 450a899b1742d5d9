import { ulp } from './tolerances.ts';

/** Digits after which a double's own rounding is coarser than what the text leaves out. */
const fullDigits = 15;

/** Most digits in which a number of single precision is written; half its last binary place, as a share. */
const single = { digits: 9, share: 2 ** -24 };

/** How finely the numbers of one side are reported. */
export type Precision = {
  /** Most significant digits seen in any number. */
  readonly digits: number;
  /** Most decimals seen in any number. */
  readonly decimals: number;
  /** Every number is one of single precision, however many digits it is written in. */
  readonly isSingle: boolean;
};

/** Precision of a whole column: one number may end in zeros, all of them do not. */
export function precisionOf(values: Iterable<number>): Precision {
  let digits = 1;
  let decimals = 0;
  let isSingle = true;
  for (const value of values) {
    isSingle &&= Math.fround(value) === value;
    if (digits < fullDigits) {
      const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
      const figures = mantissa.replace('-', '').replace('.', '').length;
      digits = Math.max(digits, figures);
      decimals = Math.max(decimals, figures - 1 - Number(exponent));
    } else if (!isSingle) break;
  }
  return { digits, decimals, isSingle };
}

const fullPrecision: Precision = { digits: fullDigits, decimals: 0, isSingle: false };

/** Half of the last digit that is reported, as a share of the value: what rounding alone may have moved it. */
export function roundingShare(value: number, precision: Precision = fullPrecision): number {
  const { digits, decimals, isSingle } = precision;
  const binary = isSingle || digits <= single.digits ? single.share : ulp;
  if (digits >= fullDigits) return binary;
  return Math.max(binary, 0.5 * 10 ** (1 - digits), (0.5 * 10 ** -decimals) / Math.abs(value));
}
