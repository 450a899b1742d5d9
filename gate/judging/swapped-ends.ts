import { type Detector, type Doubt, extendPlace, findPlace, type HeldPlace, suspect } from './detector.ts';
import type { Ranges } from './ranges.ts';
import type { RowWindow } from './row-window.ts';

export const swappedDoubt: Doubt = {
  ...{ id: 'table/open-and-close-swapped', kind: 'swapped' },
  statement: 'Opens lie nearer to the closes before them than closes to the opens before them.',
  columns: ['open', 'close'],
};

/** Rows that decide, and fewest of them that must. */
const [mostRows, fewestVotes] = [8192, 12];

/** Factors by which one must lie nearer, and by which the nearer ones must prevail. */
const [nearer, prevailing] = [4, 4];

/** Finds a table whose columns of open and close are swapped, by its first rows. */
export class SwappedEnds implements Detector {
  readonly #window: RowWindow;
  readonly #found: Ranges;
  #first: HeldPlace | undefined;
  #compared = 0;
  #sound = 0;
  #swapped = 0;

  constructor(window: RowWindow, found: Ranges) {
    this.#window = window;
    this.#found = found;
  }

  judge(from: number, to: number): void {
    if (to > from) this.#first ??= findPlace(this.#window, from, from);
    if (this.#compared >= mostRows) return;
    const { open, close } = this.#window.columns;
    const ahead = this.#window.direction === 1 ? 0 : 1;
    for (let at = Math.max(1, from); at < to; at++) {
      const [later, earlier] = [at - ahead, at - 1 + ahead];
      const rightly = Math.abs((open[later] as number) - (close[earlier] as number));
      const wrongly = Math.abs((close[later] as number) - (open[earlier] as number));
      if (nearer * rightly < wrongly) this.#sound++;
      else if (nearer * wrongly < rightly) this.#swapped++;
      this.#compared++;
    }
  }

  end(): void {
    const [first, last] = [this.#first, this.#window.count - 1];
    if (this.#swapped < Math.max(fewestVotes, prevailing * this.#sound, this.#compared / prevailing)) return;
    if (first === undefined || last < 0) return;
    extendPlace(first, this.#window, last);
    const place = { ...first, rows: this.#window.rows };
    const detail = 'open and close are swapped in every row: each close lies at the open of the row before';
    this.#found.add(suspect(swappedDoubt, place, { detail, odds: Number.POSITIVE_INFINITY }));
  }
}
