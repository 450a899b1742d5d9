import { countDigits } from '@candleproof/law/reading/tolerances';
import { thousands } from '@candleproof/law/reading/words';
import { graveOdds, oddsOfRun } from './detector.ts';
import { countRepeats } from './repeats.ts';
import type { RunKind } from './runs.ts';

/** Share of rows with a volume, and with trades, from which one of 0 beside a price that moves is suspected. */
const usualShare = 0.9;

/** Least digits of a volume that does not come twice by chance. */
const leastDigits = 5;

/** Prices that move without a trade are those of quotes, which tables with few such rows do not have. */
export const idleMoves: RunKind = {
  doubt: {
    ...{ id: 'volume/none', kind: 'volume', columns: ['volume'] },
    statement: 'A price that moves has a volume, and trades, where nine rows in ten have them.',
  },
  ...{ lead: 0, fewest: 1 },
  open({ columns: { open, close, volume, trades } }) {
    const amounts = { known: 0, none: 0 };
    const counts = { known: 0, none: 0 };
    return {
      flag(from, to, flags) {
        countKnown(volume, from, to, amounts);
        countKnown(trades, from, to, counts);
        for (let at = from; at < to; at++)
          if ((volume[at] === 0 || trades[at] === 0) && open[at] !== close[at]) flags[at] = 1;
      },
      judge(_, { rows, alike }) {
        const isUsual = [amounts, counts].every(({ known, none }) => known - none >= usualShare * known);
        const detail = 'the price moves without a volume, or without trades';
        return isUsual ? { detail, odds: Math.min(graveOdds, 10 * (rows / alike) ** 2) } : undefined;
      },
    };
  },
};

export const repeatedVolumes: RunKind = {
  doubt: {
    ...{ id: 'volume/repeated', kind: 'volume', columns: ['volume'] },
    statement:
      'A volume of five digits does not come six times in a row, nor on three days, while the close changes.',
  },
  ...{ lead: 1, fewest: 3 },
  open: ({ columns: { high, low, close, volume }, length }) => ({
    flag(from, to, flags) {
      for (let at = from; at < to; at++) {
        const value = volume[at] as number;
        // A bot repeats the amount of a single trade.
        const isSame = value === volume[at - 1] && close[at] !== close[at - 1] && high[at] !== low[at];
        if (isSame && countDigits(figures(value)) >= leastDigits) flags[at] = 1;
      }
    },
    values: volume,
    judge: (run, { rows, runs }) => ({
      detail: `the volume ${run.value} stands in ${thousands(run.rows)} rows whose closes differ`,
      odds: run.rows < countRepeats(length) ? 0 : oddsOfRun(rows, runs, run.rows - 1),
    }),
  }),
};

/** Adds the values that are known, and the zeros among them. */
function countKnown(
  values: Float64Array,
  from: number,
  to: number,
  counts: { known: number; none: number },
): void {
  let [known, none] = [0, 0];
  for (let at = from; at < to; at++) {
    const value = values[at] as number;
    if (value >= 0) known++;
    if (value === 0) none++;
  }
  counts.known += known;
  counts.none += none;
}

/** Returns the digits of a volume, without what a double adds to them. */
function figures(volume: number): string {
  return volume > 0 ? volume.toPrecision(12).replace(/e.*$/, '') : '';
}
