import { Detector, type Doubt, findWhole } from './detector.ts';

const swappedDoubt: Doubt = {
  ...{ id: 'table/open-and-close-swapped', kind: 'swapped' },
  statement: 'Opens lie nearer to the closes before them than closes to the opens before them.',
  columns: ['open', 'close'],
};

/** Rows that decide, and fewest of them that must. */
const [mostRows, fewestVotes] = [8192, 12];

/** Factors by which one must lie nearer, and by which the nearer ones must prevail. */
const [nearer, prevailing] = [4, 4];

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
    if (this.#swapped < Math.max(fewestVotes, prevailing * this.#sound, this.#compared / prevailing)) return;
    const detail = 'open and close are swapped in every row: each close lies at the open of the row before';
    const odds = 2 ** (this.#swapped - this.#sound);
    this.suspect(swappedDoubt, findWhole(this.window), { detail, odds });
  }
}
