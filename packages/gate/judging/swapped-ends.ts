import { Detector, type Doubt, findWhole } from './detector.ts';

const swappedDoubt: Doubt = {
  ...{ id: 'table/open-and-close-swapped', kind: 'swapped' },
  statement: 'Opens lie nearer to the closes before them than closes to the opens before them.',
  columns: ['open', 'close'],
};

/** First rows of a table that decide, as columns are swapped in all rows or in none. */
const mostRows = 8192;

/**
 * Times that the open lies nearer to the close before than the close to the open before where a row is sound, and the other way
 * round where it is swapped. After a row from 100.1 to 100, one from 100.1 to 100.6 is sound: 0.1 apart, and 0.5.
 */
const nearer = 4;

/**
 * Fewest swapped rows of a swapped table, times that they are as many as the sound ones, and part of all rows that they have to be,
 * since many rows are neither: 2,100 swapped and 500 sound ones of 8,192 are enough, 2,000 swapped ones are too few.
 */
const [fewestVotes, prevailing, leastPart] = [12, 4, 1 / 4];

/** Finds a table whose columns of open and close are swapped, by its first rows. */
export class SwappedEnds extends Detector {
  static readonly doubts = [swappedDoubt];
  #compared = 0;
  #sound = 0;
  #swapped = 0;

  judge(from: number, to: number): void {
    if (this.#compared >= mostRows) return;
    const { open, close } = this.window.columns;
    const ahead = this.window.direction === 1 ? 0 : 1;
    for (let at = Math.max(1, from); at < to; at++) {
      const later = at - ahead;
      const earlier = at - 1 + ahead;
      const rightly = Math.abs((open[later] as number) - (close[earlier] as number));
      const wrongly = Math.abs((close[later] as number) - (open[earlier] as number));
      if (nearer * rightly < wrongly) this.#sound++;
      else if (nearer * wrongly < rightly) this.#swapped++;
      this.#compared++;
    }
  }

  end(): void {
    if (this.#swapped < Math.max(fewestVotes, prevailing * this.#sound, leastPart * this.#compared)) return;
    const detail = 'open and close are swapped in every row: each close lies at the open of the row before';
    const odds = 2 ** (this.#swapped - this.#sound);
    this.suspect(swappedDoubt, findWhole(this.window), { detail, odds });
  }
}
