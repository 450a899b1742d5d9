import type { TableRow } from '../reading/table.ts';
import { oddsOfRun } from './detector.ts';

/**
 * Rows of a single trade from which a market is known to have such, their usual volume beside that of all rows, and most of
 * them in a table without volumes: one in which all rows have one price lists prices rather than trades.
 */
const [fewest, smallVolume, mostSingle] = [8, 0.25, 0.25];

/**
 * Share of the mean volume below which a day has hardly a trade, 20 lots where days have 60,000, and below which a shorter interval may
 * have none: 9 ticks after midnight where others have 300.
 */
const [faintVolume, quietVolume] = [0.001, 0.05];

/**
 * Gaps of two rows from which they show how often an interval without a trade follows another: quiet hours come together.
 * Beside 307 gaps of one row and 22 of two, one in fifteen goes on; four rows are then expected once in ten tables, seven never.
 */
const fewestDouble = 3;

/**
 * Learns from the rows of single trades how many intervals of a market have no trade at all, and so no row, such as some
 * five minutes of a small coin.
 */
export class QuietRows {
  #rows = 0;
  #volume = 0;
  #single = 0;
  #singleVolume = 0;
  /** Rows without a volume, and those of them without a range. */
  #idle = 0;
  #empty = 0;
  /** Number of all gaps of a market that never rests, and of those of one and of two rows. */
  readonly #gaps = { all: 0, single: 0, double: 0 };

  add({ high, low, volume }: TableRow): void {
    this.#rows++;
    if (volume > 0) this.#volume += volume;
    else if (volume === 0) this.#idle++;
    if (high !== low) return;
    this.#single++;
    if (volume === 0) this.#empty++;
    else if (volume > 0) this.#singleVolume += volume;
  }

  /** Returns whether a volume is so small beside those of the table that its day could as well have had no trade. */
  isFaint(volume: number): boolean {
    return volume > 0 && volume * this.#rows < faintVolume * this.#volume;
  }

  /** Returns whether a volume is so small that an interval beside its own may have no trade. */
  isQuiet(volume: number): boolean {
    return volume > 0 && volume * this.#rows < quietVolume * this.#volume;
  }

  /** Takes a gap of so many rows in a market that never rests. */
  addGap(missing: number): void {
    this.#gaps.all++;
    if (missing === 1) this.#gaps.single++;
    if (missing === 2) this.#gaps.double++;
  }

  /** Returns whether intervals without a trade explain so many missing rows in a row. */
  explains(missing: number): boolean {
    if (this.#single < fewest || !this.#areTrades()) return false;
    const without = this.#rows * shareWithoutTrade(this.#single / this.#rows);
    return oddsOfRun(this.#rows, without, missing) === 0 || this.#areUsual(missing);
  }

  /** True for a source that has rows without a trade: it leaves none out. */
  get #keepsEmpty(): boolean {
    if (this.#gaps.all === 0) return this.#empty > 0;
    return this.#idle >= Math.max(fewest, this.#gaps.all);
  }

  /** Returns whether gaps of one and two rows let expect one of so many. */
  #areUsual(missing: number): boolean {
    const { single, double } = this.#gaps;
    return double >= fewestDouble && oddsOfRun(single + double, double, missing - 1) === 0;
  }

  /** Returns whether rows of one price are those of a trade or quote of few. */
  #areTrades(): boolean {
    // Many trades at one price are no small volume.
    const isSmall = this.#singleVolume * this.#rows < smallVolume * this.#volume * this.#single;
    return this.#volume === 0 ? this.#single < mostSingle * this.#rows : isSmall && !this.#keepsEmpty;
  }
}

/** Returns the share of intervals without a trade, from that with a single one, if trades come by chance (Poisson). */
function shareWithoutTrade(single: number): number {
  // With n trades in a usual interval, a share of n·exp(-n) has one and exp(-n) none; n is above 1.
  let usual = 3;
  for (let round = 0; round < 50; round++) usual = Math.max(1, Math.log(usual / single));
  return Math.exp(-usual);
}
