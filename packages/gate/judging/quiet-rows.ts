import type { TableRow } from '../reading/table.ts';
import { oddsOfRun } from './detector.ts';

/**
 * Rows of a single trade from which a market is known to have such, their usual volume beside that of all rows, and most of
 * them in a table without volumes: one in which all rows have one price lists prices rather than trades.
 */
const [fewest, smallVolume, mostSingle] = [8, 0.25, 0.25];

/**
 * Learns from the rows of single trades how many intervals of a market have no trade at all, and so no row, such as some
 * five minutes of a small coin.
 */
export class QuietRows {
  #rows = 0;
  #volume = 0;
  #single = 0;
  #singleVolume = 0;
  #empty = 0;

  add({ high, low, volume }: TableRow): void {
    this.#rows++;
    if (volume > 0) this.#volume += volume;
    if (high !== low) return;
    this.#single++;
    if (volume === 0) this.#empty++;
    else if (volume > 0) this.#singleVolume += volume;
  }

  /** Returns whether intervals without a trade explain so many missing rows in a row. */
  explains(missing: number): boolean {
    if (this.#single < fewest || !this.#areTrades()) return false;
    return oddsOfRun(this.#rows, this.#rows * shareWithoutTrade(this.#single / this.#rows), missing) === 0;
  }

  /** Returns whether rows of one price are those of a trade or quote of few. */
  #areTrades(): boolean {
    if (this.#volume === 0) return this.#single < mostSingle * this.#rows;
    // A source that has rows without a trade leaves none out; many trades at one price are no small volume.
    return this.#empty === 0 && this.#singleVolume * this.#rows < smallVolume * this.#volume * this.#single;
  }
}

/** Returns the share of intervals without a trade, from that with a single one, if trades come by chance (Poisson). */
function shareWithoutTrade(single: number): number {
  // With n trades in a usual interval, a share of n·exp(-n) has one and exp(-n) none; n is above 1.
  let usual = 3;
  for (let round = 0; round < 50; round++) usual = Math.max(1, Math.log(usual / single));
  return Math.exp(-usual);
}
