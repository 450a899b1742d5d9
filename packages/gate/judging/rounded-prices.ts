import { measurePrecision } from '@candleproof/law/reading/precision';
import { graveOdds } from './detector.ts';
import { capacity } from './row-window.ts';
import type { RunKind } from './runs.ts';

/** Different closes among rows without the last digit from which they are suspected. */
const fewestCloses = 20;

/** Share of the other rows that have the digit: of ten digits one is 0, and of ticks of five every second. */
const usualShare = 0.8;

/** Least rows with the digit, as a share of those without it: a few rows of another unit have more digits than the others. */
const leastFine = 0.25;

/** Rows that lack the digit by chance now and then. */
const minRounded = 8;

/** Most decimals that are looked at, and what is left of a whole number of the last digit by the arithmetic of doubles. */
const [mostDecimals, slack] = [10, 1e-6];

/** Counts the decimals in which closes are written. */
export function countDecimals(closes: Float64Array): number {
  return Math.min(mostDecimals, measurePrecision(closes).decimals);
}

/**
 * Rows whose prices were rounded, such as by another source, between rows whose prices were not. Newer prices may have
 * fewer digits for good, as those after the last dividend of adjusted ones.
 */
export const roundedPrices: RunKind = {
  doubt: {
    ...{ id: 'price/rounded', kind: 'rounded' },
    statement: 'No closes lack the last digit of those before and after them for a hundred rows and more.',
  },
  ...{ lead: 0, fewest: 100, fewestMarked: fewestCloses, isBetween: true },
  open({ columns: { close } }) {
    /** Number of last but one digits in a price; undefined until the first rows show it. */
    let coarse: number | undefined;
    /** The different closes of a run so far. A set that is emptied so often would keep what it held before in memory. */
    const closes = new Float64Array(fewestCloses);
    let size = 0;
    /** The highest close with the digit, and that of the run so far: prices of five digits lose a decimal at 100. */
    let [highest, peak] = [0, 0];
    const values = new Float64Array(capacity);
    return {
      flag(from, to, flags) {
        coarse ??= 10 ** (countDecimals(close.subarray(from, to)) - 1);
        for (let at = from; at < to; at++) {
          const price = close[at] as number;
          const value = price * coarse;
          const rest = value - Math.floor(value + 0.5);
          if (rest < slack && rest > -slack) {
            flags[at] = 1;
            if (price > peak) peak = price;
            values[at] = peak;
          } else {
            peak = 0;
            if (price > highest) highest = price;
          }
        }
      },
      values,
      marks(at, rows) {
        if (rows === 1) size = 0;
        if (size === fewestCloses) return false;
        const price = close[at] as number;
        for (let known = 0; known < size; known++) if (closes[known] === price) return false;
        closes[size++] = price;
        return true;
      },
      judge(run, { rows, alike, lengths }) {
        const other = lengths.subarray(1, minRounded).reduce((sum, runs, at) => sum + runs * (at + 1), 0);
        const fine = rows - alike;
        if (fine < Math.max(usualShare * (fine + other), leastFine * alike)) return undefined;
        if (findPower(run.value) > findPower(highest)) return undefined;
        const detail = `${run.rows} closes in a row lack the last digit of the others, as rounded ones do`;
        return { detail, odds: graveOdds };
      },
    };
  },
};

/** Returns the power of ten below a price: 1 for 99.9, 2 for 100. */
function findPower(price: number): number {
  return Math.floor(Math.log10(price));
}
