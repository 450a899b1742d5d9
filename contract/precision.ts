import { ulp } from './tolerances.ts';

/** Digits after which a double's own rounding is coarser than what the text leaves out. */
const fullDigits = 15;

/** How finely the numbers of one side are told. */
export type Precision = {
  /** Most significant digits seen in any number. */
  readonly digits: number;
  /** Most decimals seen in any number. */
  readonly decimals: number;
};

/** Precision of a whole column: one number may end in zeros, all of them do not. */
export function precisionOf(values: Iterable<number>): Precision {
  let digits = 1;
  let decimals = 0;
  for (const value of values) {
    const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
    const figures = mantissa.replace('-', '').replace('.', '').length;
    digits = Math.max(digits, figures);
    decimals = Math.max(decimals, figures - 1 - Number(exponent));
    if (digits >= fullDigits) return { digits, decimals };
  }
  return { digits, decimals };
}

/** Half of the last digit that is told, as a share of the value: what rounding alone may have moved it. */
export function roundingShare(value: number, precision: Precision | undefined): number {
  const { digits, decimals } = precision ?? { digits: fullDigits, decimals: 0 };
  if (digits >= fullDigits) return ulp;
  return Math.max(0.5 * 10 ** (1 - digits), (0.5 * 10 ** -decimals) / Math.abs(value));
}
