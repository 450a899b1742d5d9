import type { TableRow } from '../reading/table.ts';
import { oddsOfRun } from './detector.ts';

/** Rows of a single trade from which a market is known to have such, and their usual volume beside that of all rows. */
const [fewest, smallVolume] = [8, 0.25];

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
    if (!(volume >= 0)) return;
    this.#volume += volume;
    if (high !== low) return;
    if (volume === 0) this.#empty++;
    this.#single++;
    this.#singleVolume += volume;
  }

  /** Returns whether intervals without a trade explain so many missing rows in a row. */
  explains(missing: number): boolean {
    // A source that has rows without a trade leaves none out; many trades at one price are no small volume.
    const isSmall = this.#singleVolume * this.#rows < smallVolume * this.#volume * this.#single;
    if (this.#empty > 0 || this.#single < fewest || !isSmall) return false;
    return oddsOfRun(this.#rows, this.#rows * shareWithoutTrade(this.#single / this.#rows), missing) === 0;
  }
}

/** Returns the share of intervals without a trade, from that with a single one, if trades come by chance (Poisson). */
function shareWithoutTrade(single: number): number {
  // With n trades in a usual interval, a share of n·exp(-n) has one and exp(-n) none; n is above 1.
  let usual = 3;
  for (let round = 0; round < 50; round++) usual = Math.max(1, Math.log(usual / single));
  return Math.exp(-usual);
}
