/**
 * Every tolerance of the judge, with its reason. Nothing else in the rules rounds, waits or forgives.
 */

/** Seconds after its end in which a candle may still be written: meanwhile it is neither open nor closed. */
export const settlingSeconds = 120;

/** Seconds after its end in which late observations may still correct a closed candle. */
export const lateSeconds = 600;

/** Seconds of error in the Date header, which counts whole seconds and may come from a cache of the front server. */
export const dateLagSeconds = 2;

/** Seconds by which the local clock may be off when it replaces a server's: no zone or drift makes a day. */
export const localClockSeconds = 86_400;

/** Seconds after an interval's end until the next candle is due: it settles, and one minute's observation may fail. */
export const newestSeconds = settlingSeconds + 120;

/** Seconds around the month's roll-over in which counters of different replicas may disagree. */
export const rollOverSeconds = 120;

/** Relative error of products and means of doubles; the worst measured in an honest implementation is 5e-13. */
export const arithmetic = 1e-9;

/** Relative error of the mean of some hundred doubles of one size. */
export const doubleSums = 1e-14;

/**
 * Relative error of one addition of doubles, half a unit in the last place: 0.1 + 0.2 is 0.30000000000000004. A sum of
 * amounts that are not negative errs by at most this share for each addend, in whatever order they are added.
 */
export const addition = 2 ** -53;

/** One unit in the last place: inverting a price rounds once. */
export const ulp = 2 ** -52;

/** Shares of a parent's range: an outage of samples explains less than the first, rounding less than the second. */
export const meanOff = { breach: 0.01, undecided: 1e-6 };

/**
 * Proper requests that may fail at first by chance: a must counts at least so many, and more than this share. Of 41 these
 * are 5, which a service that fails one request in a hundred reaches in one run of 16,000, and one that fails every
 * seventh in nearly all.
 */
export const maxFailing = { share: 0.1, least: 3 };

/** Unix seconds of a plausible clock: 2017 to 2099. Milliseconds and microseconds lie far outside. */
export const plausibleSeconds = { from: 1.5e9, to: 4.1e9 };

/** Seconds without an observation after which a pool no longer counts as merely late. */
export const staleSeconds = 600;

/** Seconds by which the last observations of one pool may differ in answers of one minute: replicas and caches lag a little. */
export const observedApart = 300;

/** Share by which the USD rates of pools may differ at one time: their amounts are converted seconds apart. */
export const rateDeviation = 0.002;

/**
 * Errors of a median of rates that chance may explain: of normal values it errs by 1.86 times their median deviation over
 * the root of their number, and rates of an hour are neither normal nor independent.
 */
export const rateErrors = 10;

/**
 * Usual steps of a rate from one candle to the next by which the rates of a candle's amounts may differ: one is of its end,
 * the other of all its trades, or of a rate that a service fetches once in some candles.
 */
export const rateSteps = 10;

/**
 * Digits of inverted prices that are too few: two fewer than those of the plain prices, and seven at most, as numbers of single
 * precision have, which lose less than the share and are finer than any trade moves a price. Prices are often written to six
 * decimals, as many as dollars have on a ledger.
 */
export const lostDigits = { fewer: 2, most: 7, share: 1e-7, decimals: 6 };

/**
 * Factor by which a token's price in USD may differ from its price at the rate of all others: it may be repriced between the two
 * columns of a list, by less than half.
 */
export const repriced = 2;

/** Dollars by which an amount with two decimals may be rounded. */
export const cent = 0.01;

/** Share by which two values that agree may differ: what coarse rounding alone hides is no agreement. */
export const agreeingShare = 1e-6;

/** Share by which a product of rounded numbers may differ, and a ratio from the factor of most others. */
export const changedShares = { product: 1e-4, factor: 1e-3 };

/**
 * Factors by which no market moves a latest candle: its open is that of one interval and never changes, and even a token that
 * collapses keeps a hundredth of its price for hours. What is wrong by a unit or by decimals is off by more. After a longer
 * time without an answer a close says nothing.
 */
export const leaps = { open: 2, close: 100, seconds: 7200 };

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

/** Digits of a price or volume that two intervals do not share by chance. */
export const tellingDigits = 6;

/** Returns whether a volume has too many digits for two intervals to share it by chance; 1300000 has two. */
export function isTellingVolume(text: string | undefined): boolean {
  return text !== undefined && countDigits(text) >= tellingDigits;
}
