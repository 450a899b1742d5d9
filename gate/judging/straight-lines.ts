import { thousands } from '../../contract/reading/thousands.ts';
import { arithmetic } from '../../contract/reading/tolerances.ts';
import { oddsOfRun } from './detector.ts';
import type { RunKind } from './runs.ts';

/** Rows that were interpolated: each close continues the line of the two before. */
export const straightLines: RunKind = {
  doubt: {
    ...{ id: 'price/straight-line', kind: 'line' },
    statement: 'No twelve closes in a row lie on a straight line that rises or falls.',
  },
  ...{ lead: 2, fewest: 12 },
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
