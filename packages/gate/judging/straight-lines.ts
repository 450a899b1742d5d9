import { arithmetic } from '@candleproof/law/reading/tolerances';
import { thousands } from '@candleproof/law/reading/words';
import { graveOdds, oddsOfRun } from './detector.ts';
import { countDecimals } from './rounded-prices.ts';
import type { RunKind } from './runs.ts';

/** Closes on a line without a bend that are none by chance. */
const fewestStraight = 12;

/** Rows that were interpolated: each close continues the line of the two before. */
export const straightLines: RunKind = {
  doubt: {
    ...{ id: 'price/straight-line', kind: 'line' },
    statement: 'No twelve closes in a row lie on a straight line that rises or falls.',
  },
  ...{ lead: 2, fewest: fewestStraight },
  open: ({ columns: { close } }) => ({
    flag(from, to, flags) {
      for (let at = from; at < to; at++) {
        const price = close[at] as number;
        const before = close[at - 1] as number;
        const bend = price - before - (before - (close[at - 2] as number));
        if (bend <= arithmetic * price && bend >= -arithmetic * price && price !== before) flags[at] = 1;
      }
    },
    judge: (run, { rows, alike }) => ({
      detail: `${thousands(run.rows)} closes in a row lie on a straight line, as interpolated ones do`,
      odds: oddsOfRun(rows, alike, run.rows - 2),
    }),
  }),
};

/** Adds to a bend of one last digit what the arithmetic of doubles does. */
const nearlyOne = 1.000001;

/** Marks the bends of closes: a line without one is straight. */
function marksBends(close: Float64Array): (at: number) => boolean {
  return (at) => {
    const price = close[at] as number;
    const bend = price + (close[at - 2] as number) - 2 * (close[at - 1] as number);
    return Math.abs(bend) > arithmetic * price;
  };
}

/**
 * Rows that were interpolated, and rounded: each close continues the line of the two before up to the last digit, and
 * none goes back. Quiet hours hold short ones by chance.
 */
export const roundedLines: RunKind = {
  doubt: {
    ...{ id: 'price/rounded-line', kind: 'line' },
    statement: 'No thirty closes in a row lie on a line that rises or falls, up to their last digit.',
  },
  ...{ lead: 2, fewest: 30, fewestMarked: 6 },
  open({ columns: { close } }) {
    /** The largest bend by rounding; undefined until the first rows show the last digit. */
    let most: number | undefined;
    return {
      flag(from, to, flags) {
        most ??= nearlyOne * 10 ** -countDecimals(close.subarray(from, to));
        for (let at = from; at < to; at++) {
          const before = close[at - 1] as number;
          const earlier = close[at - 2] as number;
          const step = (close[at] as number) - before;
          const stepBefore = before - earlier;
          const bend = step - stepBefore;
          if (bend > most || bend < -most || (step === 0 && stepBefore === 0)) continue;
          // A line of less than a digit for each row stands still for one of them.
          if (step * (stepBefore === 0 ? earlier - (close[at - 3] as number) : stepBefore) >= 0)
            flags[at] = 1;
        }
      },
      marks: marksBends(close),
      judge: (run, { rows, alike }) => ({
        detail: `${thousands(run.rows)} closes in a row lie on a straight line up to their last digit, as interpolated ones do`,
        odds: oddsOfRun(rows, alike, run.rows - 2),
      }),
    };
  },
};

/** Last digits by which each close of a steep line moves, at least: a line that rounding hardly bends. */
const steep = 4;

/** Rows that were interpolated over a move of many last digits, and rounded: few of them are already none by chance. */
export const steepLines: RunKind = {
  doubt: {
    ...{ id: 'price/steep-line', kind: 'line' },
    statement: 'No ten closes in a row lie on a steep line, up to their last digit.',
  },
  ...{ lead: 2, fewest: 10 },
  open({ columns: { close } }) {
    let most: number | undefined;
    return {
      flag(from, to, flags) {
        most ??= nearlyOne * 10 ** -countDecimals(close.subarray(from, to));
        for (let at = from; at < to; at++) {
          const step = (close[at] as number) - (close[at - 1] as number);
          if (step < steep * most && step > -steep * most) continue;
          const bend = step - (close[at - 1] as number) + (close[at - 2] as number);
          if (bend <= most && bend >= -most) flags[at] = 1;
        }
      },
      marks: marksBends(close),
      judge(run, { rows, alike }) {
        // A longer line without a bend is a straight one.
        if (run.rows >= fewestStraight && run.marked === 0) return undefined;
        const detail = `${thousands(run.rows)} closes in a row lie on a steep line up to their last digit, as interpolated ones do`;
        return { detail, odds: Math.min(graveOdds, oddsOfRun(rows, alike, run.rows - 2)) };
      },
    };
  },
};
