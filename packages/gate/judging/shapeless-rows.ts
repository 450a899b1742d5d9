import { thousands } from '@candleproof/law/reading/thousands';
import { graveOdds, oddsOfRun } from './detector.ts';
import { findContinuation } from './repeats.ts';
import type { RowWindow } from './row-window.ts';
import type { RowRun, RunCounts, RunKind } from './runs.ts';

/** Rows of a run, and those among them that move. */
const [fewestRows, fewestMoves] = [40, 20];

/** Greatest share of the other rows that have no range or no wick either, with volumes and without any. */
const [mostOthers, mostWithoutVolumes] = [0.2, 0.05];

/** Share of the usual volume below which a row is one of a quiet market. */
const quietVolume = 0.25;

/** Rows of one price each that move and trade as others do: closes alone, or a recorder that writes the first trade. */
export const onePriceRows: RunKind = {
  doubt: {
    ...{ id: 'price/one-price', kind: 'flat' },
    statement: 'No forty rows in a row have one price each while they move and trade as the others do.',
  },
  ...{ lead: 0, fewest: fewestRows, fewestMarked: fewestMoves },
  open: ({ columns }) => {
    const { high, low, close } = columns;
    const volumes = new UsualVolume(columns);
    return {
      flag(from, to, flags) {
        for (let at = from; at < to; at++) if (high[at] === low[at]) flags[at] = 1;
        volumes.learn(from, to, flags);
      },
      marks: (at) => at > 0 && close[at] !== close[at - 1] && !volumes.isQuiet(at),
      judge: (run, counts) => judgeRun(run, counts, volumes, 'have one price each, though it moves'),
    };
  },
};

/** Rows that never leave their open and close, as those that were drawn from closes alone. */
export const wicklessRows: RunKind = {
  doubt: {
    ...{ id: 'price/no-wick', kind: 'flat' },
    statement: 'No forty rows in a row stay between open and close while the others do not.',
  },
  ...{ lead: 0, fewest: fewestRows, fewestMarked: fewestMoves },
  open: ({ columns }) => {
    const { open, high, low, close } = columns;
    const volumes = new UsualVolume(columns);
    return {
      flag(from, to, flags) {
        for (let at = from; at < to; at++) {
          const top = high[at] as number;
          // Most rows have a wick above.
          if (top !== close[at] && top !== open[at]) continue;
          const bottom = low[at] as number;
          if (bottom === close[at] || bottom === open[at]) flags[at] = 1;
        }
        volumes.learn(from, to, flags);
      },
      marks: (at) => open[at] !== close[at] && !volumes.isQuiet(at),
      judge: (run, counts) => judgeRun(run, counts, volumes, 'do not leave their open and close'),
    };
  },
};

function judgeRun(run: RowRun, counts: RunCounts, volumes: UsualVolume, words: string) {
  const { rows, alike } = counts;
  const others = rows - run.rows;
  const share = (alike - run.rows) / others;
  const most = volumes.areKnown ? mostOthers : mostWithoutVolumes;
  if (2 * run.marked < run.rows || others < run.rows / 2 || share > most) return undefined;
  const continued = Math.max(share, findContinuation(counts, run.rows));
  const odds = Math.min(graveOdds, oddsOfRun(rows, continued * rows, run.rows - 1));
  return {
    detail: `${thousands(run.rows)} rows in a row ${words}, unlike the ${thousands(others)} others`,
    odds,
  };
}

/** Rows of which one shows the usual volume. */
const sampled = 16;

/** Learns the usual volume from the rows that have no flag. */
class UsualVolume {
  readonly #volume: Float64Array;
  #sum = 0;
  #rows = 0;

  constructor({ volume }: RowWindow['columns']) {
    this.#volume = volume;
  }

  get areKnown(): boolean {
    return this.#rows > 0;
  }

  learn(from: number, to: number, flags: Uint8Array): void {
    for (let at = from; at < to; at += sampled) {
      const value = this.#volume[at] as number;
      if (flags[at] === 1 || !(value > 0)) continue;
      this.#sum += value;
      this.#rows++;
    }
  }

  /** Returns whether a row has less than the usual volume, or none in a table with volumes. */
  isQuiet(at: number): boolean {
    return this.#rows > 0 && !((this.#volume[at] as number) * this.#rows >= quietVolume * this.#sum);
  }
}
