/**
 * Finds rows that lack the shape of the others in their table. Four rows of five minutes, as time open high low close volume:
 *
 *     09:30  100.0  100.9  99.8  100.4  510     a usual row: it has a wick above its open and close, and one below
 *     09:35  100.4  101.0  100.4  101.0  480     no wick: it stays between open and close, which one row in twenty does by chance
 *     09:40  101.0  101.0  101.0  101.0  530     one price, though it trades as much as the others
 *     09:45  101.0  101.0  101.0  101.0    2     one price with hardly a volume: a quiet market, which shows nothing
 *
 * One such row is usual. Forty of the second or third kind in a row were made from closes alone, or by a recorder that
 * wrote the first trade of each interval.
 */

import { thousands } from '@candleproof/law/reading/words';
import { graveOdds, oddsOfRun } from './detector.ts';
import { findContinuation } from './repeats.ts';
import type { RowWindow } from './row-window.ts';
import { maxCounted, type RowRun, type RunCounts, type RunKind } from './runs.ts';

/** Rows of a run, and those among them that move. */
const [fewestRows, fewestMoves] = [40, 20];

/** Greatest share of the other rows that have no range or no wick either, with volumes and without any. */
const [mostOthers, mostWithoutVolumes] = [0.2, 0.05];

/**
 * Rows of a run in a table that has more of such rows, how many times as long as its next one the run is, and the share of
 * its rows that move and trade: a hundred rows without a wick in minutes of a currency of which one in ten has none, never
 * more than nine in a row; or in those of a future of which every second has none, never more than 43.
 */
const [fewestAmongMany, timesAmongMany, movingAmongMany] = [80, 2, 0.25];

/**
 * Share of the usual volume, or of the usual move between open and close in a table without volumes, below which a row is
 * one of a quiet market: 120 where rows have 500, or a move of 0.00002 where rows move by 0.0001.
 */
const quietShare = 0.25;

/** Rows of one price each that move and trade as others do: closes alone, or a recorder that writes the first trade. */
export const onePriceRows: RunKind = {
  doubt: {
    ...{ id: 'price/one-price', kind: 'flat' },
    statement: 'No forty rows in a row have one price each while they move and trade as the others do.',
  },
  ...{ lead: 0, fewest: fewestRows, fewestMarked: fewestMoves },
  open: ({ columns }) => {
    const { high, low, close } = columns;
    const usual = new UsualRow(columns);
    return {
      flag(from, to, flags) {
        for (let at = from; at < to; at++) if (high[at] === low[at]) flags[at] = 1;
        usual.learn(from, to, flags);
      },
      marks: (at) => at > 0 && close[at] !== close[at - 1] && !usual.isQuiet(at),
      judge: (run, counts) => judgeRun(run, counts, usual, 'have one price each, though it moves'),
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
    const usual = new UsualRow(columns);
    return {
      flag(from, to, flags) {
        for (let at = from; at < to; at++) {
          const top = high[at] as number;
          // Most rows have a wick above.
          if (top !== close[at] && top !== open[at]) continue;
          const bottom = low[at] as number;
          if (bottom === close[at] || bottom === open[at]) flags[at] = 1;
        }
        usual.learn(from, to, flags);
      },
      marks: (at) => open[at] !== close[at] && !usual.isQuiet(at),
      judge: (run, counts) => judgeRun(run, counts, usual, 'do not leave their open and close'),
    };
  },
};

function judgeRun(run: RowRun, counts: RunCounts, usual: UsualRow, words: string) {
  const { rows, alike } = counts;
  const others = rows - run.rows;
  const share = (alike - run.rows) / others;
  const most = usual.hasVolume ? mostOthers : mostWithoutVolumes;
  if (others < run.rows / 2) return undefined;
  const isLively = share <= most && 2 * run.marked >= run.rows;
  if (!isLively && !isLongAmongMany(run, counts)) return undefined;
  const continued = Math.max(share, findContinuation(counts, run.rows));
  const odds = Math.min(graveOdds, oddsOfRun(rows, continued * rows, run.rows - 1));
  return {
    detail: `${thousands(run.rows)} rows in a row ${words}, unlike the ${thousands(others)} others`,
    odds,
  };
}

/** Returns whether no other run of a table with many such rows is half as long. */
function isLongAmongMany({ rows, marked }: RowRun, { lengths }: RunCounts): boolean {
  if (rows < fewestAmongMany || marked < movingAmongMany * rows) return false;
  const half = Math.min(maxCounted, Math.ceil(rows / timesAmongMany));
  return lengths.subarray(half).reduce((sum, runs) => sum + runs, 0) === 1;
}

/** Rows of which one shows the usual volume. */
const sampled = 16;

/** Learns the usual volume, and the usual move, from the rows that have no flag. */
class UsualRow {
  readonly #volume: Float64Array;
  readonly #close: Float64Array;
  #sum = 0;
  #rows = 0;
  #moved = 0;
  #moves = 0;

  constructor({ volume, close }: RowWindow['columns']) {
    this.#volume = volume;
    this.#close = close;
  }

  get hasVolume(): boolean {
    return this.#rows > 0;
  }

  learn(from: number, to: number, flags: Uint8Array): void {
    for (let at = Math.max(1, from); at < to; at += sampled) {
      if (flags[at] === 1) continue;
      this.#moved += this.#measureMove(at);
      this.#moves++;
      const value = this.#volume[at] as number;
      if (!(value > 0)) continue;
      this.#sum += value;
      this.#rows++;
    }
  }

  /** Returns whether a row has less than the usual volume, or hardly moves in a table without volumes. */
  isQuiet(at: number): boolean {
    if (this.hasVolume) return !((this.#volume[at] as number) * this.#rows >= quietShare * this.#sum);
    return !(this.#measureMove(at) * this.#moves >= quietShare * this.#moved);
  }

  #measureMove(at: number): number {
    return Math.abs((this.#close[at] as number) - (this.#close[at - 1] as number));
  }
}
