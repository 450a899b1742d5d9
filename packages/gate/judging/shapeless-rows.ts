/**
 * Finds rows that lack the shape of the others in their table. Four rows of five minutes, as time open high low close volume:
 *
 *     09:30  100.0  100.9  99.8  100.4  510     a usual row: it has a wick above its open and close, and one below
 *     09:35  100.4  101.0  100.4  101.0  480     no wick: it stays between open and close, which one row in twenty does by chance
 *     09:40  101.0  101.0  101.0  101.0  530     one price, though it trades as much as the others
 *     09:45  101.0  101.0  101.0  101.0    2     one price with hardly any volume: a quiet market, which shows nothing
 *
 * One such row is usual. Forty of the second or third kind in a row were made from closes alone, or by a recorder that
 * wrote the first trade of each interval.
 */

import { thousands } from '@candleproof/law/reading/words';
import { graveOdds, oddsOfRun, type Words } from './detector.ts';
import { findContinuation } from './repeats.ts';
import type { RowWindow } from './row-window.ts';
import { countRuns, type RowRun, type RunCounts, type RunKind } from './runs.ts';

/** Fewest rows of a run that is suspected. */
const fewestRows = 40;

/** Fewest rows of it that move, although the market is not quiet. */
const fewestMoves = 20;

/** Greatest share of the rows outside a run that may have its shape, in a table with volumes. */
const mostOthers = 0.2;

/** The same in a table without volumes, in which a quiet market is harder to tell. */
const mostWithoutVolumes = 0.05;

/**
 * Fewest rows of a run in a table where more of the others have its shape. Two such runs: a hundred rows without a wick in
 * minutes of a currency, where one row in ten has none but never more than nine in a row have none; or in minutes of a
 * futures contract, where every second row has none but never more than 43 in a row.
 */
const fewestAmongMany = 80;

/** Least number of times that it is as long as any other run of the table: a run of 100 rows if no other has 50. */
const timesAmongMany = 2;

/** Least share of its rows that move, although the market is not quiet. */
const movingAmongMany = 0.25;

/**
 * Share of the mean volume below which a row is one of a quiet market, such as 120 where the mean is 500. In a table
 * without volumes it is the share of the mean move from close to close: 0.00002 where the mean is 0.0001.
 */
const quietShare = 0.25;

/** Rows of one price each that move and trade as others do: closes alone, or a recorder that writes the first trade. */
export const onePriceRows: RunKind = {
  doubt: {
    id: 'price/one-price',
    kind: 'flat',
    statement: 'No forty rows in a row have one price each while they move and trade as the others do.',
  },
  lead: 0,
  fewest: fewestRows,
  fewestMarked: fewestMoves,
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
    id: 'price/no-wick',
    kind: 'flat',
    statement: 'No forty rows in a row stay between open and close while the others do not.',
  },
  lead: 0,
  fewest: fewestRows,
  fewestMarked: fewestMoves,
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

/**
 * Returns in words what a run lacks, with the odds against a healthy market: 1 over the number of runs as long that chance
 * makes in such a table. Of 10,000 rows, if half of those with this shape are followed by another one, chance makes a run
 * of 40 some 10,000 × 0.5³⁹ = 0.00000002 times: odds of 50 million. They end at `graveOdds`, a million, since a market has
 * other reasons than chance.
 */
function judgeRun(run: RowRun, counts: RunCounts, usual: UsualRow, words: string): Words | undefined {
  const { rows, alike } = counts;
  const others = rows - run.rows;
  if (others < run.rows / 2) return undefined;
  const share = (alike - run.rows) / others;
  const most = usual.hasVolume ? mostOthers : mostWithoutVolumes;
  const isLively = share <= most && 2 * run.marked >= run.rows;
  if (!isLively && !isLongAmongMany(run, counts)) return undefined;
  const continued = Math.max(share, findContinuation(counts, run.rows));
  const odds = Math.min(graveOdds, oddsOfRun(rows, continued * rows, run.rows - 1));
  const unlike = rows - alike;
  const part = unlike < others ? `${thousands(unlike)} of ` : '';
  const detail = `${thousands(run.rows)} rows in a row ${words}, unlike ${part}the ${thousands(others)} others`;
  return { detail, odds };
}

/** Returns whether a run is long and moves, and no other run of the table is half as long. */
function isLongAmongMany({ rows, marked }: RowRun, { lengths }: RunCounts): boolean {
  if (rows < fewestAmongMany || marked < movingAmongMany * rows) return false;
  return countRuns(lengths, rows / timesAmongMany) === 1;
}

/** The usual row is learned from one row in 16, which is enough for a mean. */
const sampleEvery = 16;

/** Learns the mean volume and the mean move, from close to close, of rows that have no flag. */
class UsualRow {
  readonly #volume: Float64Array;
  readonly #close: Float64Array;
  #volumeSum = 0;
  #volumeRows = 0;
  #moveSum = 0;
  #moveRows = 0;

  constructor({ volume, close }: RowWindow['columns']) {
    this.#volume = volume;
    this.#close = close;
  }

  get hasVolume(): boolean {
    return this.#volumeRows > 0;
  }

  learn(from: number, to: number, flags: Uint8Array): void {
    for (let at = Math.max(1, from); at < to; at += sampleEvery) {
      if (flags[at] === 1) continue;
      this.#moveSum += this.#measureMove(at);
      this.#moveRows++;
      const volume = this.#volume[at] as number;
      if (!(volume > 0)) continue;
      this.#volumeSum += volume;
      this.#volumeRows++;
    }
  }

  /**
   * Returns whether a row has less than `quietShare` of the mean volume; in a table without volumes, whether it moves by
   * less than `quietShare` of the mean move.
   */
  isQuiet(at: number): boolean {
    if (this.hasVolume)
      return !((this.#volume[at] as number) * this.#volumeRows >= quietShare * this.#volumeSum);
    return !(this.#measureMove(at) * this.#moveRows >= quietShare * this.#moveSum);
  }

  /** Returns how far a row's close is from the close before it. */
  #measureMove(at: number): number {
    return Math.abs((this.#close[at] as number) - (this.#close[at - 1] as number));
  }
}
