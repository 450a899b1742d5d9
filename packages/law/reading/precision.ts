import { ulp } from './tolerances.ts';

/** Digits beyond which a double's rounding is coarser than that of the text. */
const fullDigits = 15;

/** The most digits in which a single-precision number is written; half its last binary place, as a share. */
const single = { digits: 9, share: 2 ** -24 };

/** The precision in which a column of numbers is reported. */
export type Precision = {
  /** The most significant digits of any number. */
  readonly digits: number;
  /** The most decimals of any number. */
  readonly decimals: number;
  /** Every number is of single precision, whatever the number of its digits. */
  readonly isSingle: boolean;
};

/** Measures the precision of a column: one number may end in zeros, a whole column does not. */
export function measurePrecision(values: Iterable<number>): Precision {
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

/** Counts the significant digits of a decimal without a sign, such as 2 of `1300000` or of `0.013`. */
export function countDigits(decimal: string): number {
  return decimal.replace('.', '').replace(/^0+|0+$/g, '').length;
}

const fullPrecision: Precision = { digits: fullDigits, decimals: 0, isSingle: false };

/** Returns the share of a value by which rounding to the last reported digit may have moved it. */
export function roundingShare(value: number, precision: Precision = fullPrecision): number {
  const { digits, decimals, isSingle } = precision;
  const binary = isSingle || digits <= single.digits ? single.share : ulp;
  if (digits >= fullDigits) return binary;
  return Math.max(binary, 0.5 * 10 ** (1 - digits), (0.5 * 10 ** -decimals) / Math.abs(value));
}
