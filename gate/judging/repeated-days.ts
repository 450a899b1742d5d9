import { day, hour, stamp } from '../../contract/document/interval.ts';
import { type Detector, type Doubt, extendPlace, findPlace, type HeldPlace, suspect } from './detector.ts';
import type { Ranges } from './ranges.ts';
import type { RowWindow } from './row-window.ts';

export const repeatedDayDoubt: Doubt = {
  ...{ id: 'row/day-repeated', kind: 'copy' },
  statement: 'No day, and no part of one with a dozen rows, has all rows of an earlier one.',
};

/** Rows, and changes of the close, that a part of a day must have to tell. */
const [fewestRows, fewestMoves] = [12, 6];

/** Factor that keeps the two sums of a part apart in one. */
const mixed = Math.SQRT1_2;

/** Parts that are remembered. */
const mostParts = 20_000;

/** Finds days, or parts of them that have enough rows, that repeat an earlier one, by two weighted sums of their rows. */
export class RepeatedDays implements Detector {
  readonly #window: RowWindow;
  readonly #found: Ranges;
  /** The start of each part by a sum of its rows. */
  readonly #parts = new Map<number, number>();
  /** Seconds of a part; undefined if a day has too few rows. */
  readonly #span: number | undefined;
  #end = Number.NaN;
  #rows = 0;
  #moves = 0;
  #sums = [0, 0];
  #place: HeldPlace | undefined;

  constructor(window: RowWindow, found: Ranges) {
    this.#window = window;
    this.#found = found;
    this.#span = [3 * hour, day / 4, day / 2, day].find(
      (span) => window.length > 0 && window.length * fewestRows <= span,
    );
  }

  judge(from: number, to: number): void {
    const span = this.#span;
    if (span === undefined) return;
    const { start, open, high, low, close, volume } = this.#window.columns;
    let [closes, others] = this.#sums as [number, number];
    for (let at = from; at < to; at++) {
      const time = start[at] as number;
      if (!(time < this.#end && time >= this.#end - span)) {
        this.#sums = [closes, others];
        if (at > 0 && this.#place) extendPlace(this.#place, this.#window, at - 1);
        this.#finish();
        [closes, others] = [0, 0];
        this.#end = (Math.floor(time / span) + 1) * span;
        this.#place = findPlace(this.#window, at, at);
      }
      const weight = ++this.#rows;
      const price = close[at] as number;
      if (at > 0 && price !== close[at - 1]) this.#moves++;
      const amount = volume[at] as number;
      closes += weight * price;
      others +=
        weight *
        ((open[at] as number) +
          3 * (high[at] as number) +
          7 * (low[at] as number) +
          (amount > 0 ? 0.1 * amount : 0));
    }
    this.#sums = [closes, others];
    if (to > from && this.#place) extendPlace(this.#place, this.#window, to - 1);
  }

  end(): void {
    this.#finish();
  }

  #finish(): void {
    const [closes, sum] = this.#sums as [number, number];
    const rows = this.#rows;
    const part = this.#place && { ...this.#place, rows };
    const isTelling = rows >= fewestRows && this.#moves >= fewestMoves;
    this.#rows = 0;
    this.#moves = 0;
    if (!isTelling || part === undefined) return;
    const key = closes + mixed * sum + rows;
    const known = this.#parts.get(key);
    if (known !== undefined) {
      const what = this.#span === day ? 'the day' : 'these hours';
      const detail = `all rows of ${what} are those of ${stamp(known).slice(0, this.#span === day ? 10 : 16)}`;
      this.#found.add(suspect(repeatedDayDoubt, part, { detail, odds: Number.POSITIVE_INFINITY }));
    } else if (this.#parts.size < mostParts) this.#parts.set(key, part.from);
  }
}
