import { day, hour, stamp } from '../../contract/document/interval.ts';
import { Detector, type Doubt, findPlaceFrom } from './detector.ts';

const repeatedDayDoubt: Doubt = {
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
export class RepeatedDays extends Detector {
  static readonly doubts = [repeatedDayDoubt];
  /** The start of each part by a sum of its rows. */
  readonly #parts = new Map<number, number>();
  /** Seconds of a part; undefined if a day has too few rows. */
  readonly #span = [3 * hour, day / 4, day / 2, day].find(
    (span) => this.window.length > 0 && this.window.length * fewestRows <= span,
  );
  #end = Number.NaN;
  #rows = 0;
  #moves = 0;
  #sums: [closes: number, others: number] = [0, 0];
  #first = { start: 0, line: 0 };

  judge(from: number, to: number): void {
    const span = this.#span;
    if (span === undefined) return;
    const { start, line, open, high, low, close, volume } = this.window.columns;
    let [closes, others] = this.#sums;
    for (let at = from; at < to; at++) {
      const time = start[at] as number;
      if (!(time < this.#end && time >= this.#end - span)) {
        this.#sums = [closes, others];
        this.#finish(at);
        [closes, others] = [0, 0];
        this.#end = (Math.floor(time / span) + 1) * span;
        this.#first = { start: time, line: line[at] as number };
      }
      const weight = ++this.#rows;
      const price = close[at] as number;
      if (at > 0 && price !== close[at - 1]) this.#moves++;
      const amount = volume[at] as number;
      closes += weight * price;
      const more = (open[at] as number) + 3 * (high[at] as number) + 7 * (low[at] as number);
      others += weight * (more + (amount > 0 ? 0.1 * amount : 0));
    }
    this.#sums = [closes, others];
  }

  end(): void {
    this.#finish(this.window.count);
  }

  /** Ends the part whose last row is before a position. */
  #finish(end: number): void {
    const [rows, span] = [this.#rows, this.#span];
    const isTelling = rows >= fewestRows && this.#moves >= fewestMoves;
    this.#rows = 0;
    this.#moves = 0;
    if (!isTelling) return;
    const place = findPlaceFrom(this.#first, this.window, end - 1, rows);
    const key = this.#sums[0] + mixed * this.#sums[1] + rows;
    const known = this.#parts.get(key);
    if (known !== undefined) {
      const what = span === day ? 'the day' : 'these hours';
      const detail = `all rows of ${what} are those of ${stamp(known).slice(0, span === day ? 10 : 16)}`;
      this.suspect(repeatedDayDoubt, place, { detail, odds: Number.POSITIVE_INFINITY });
    } else if (this.#parts.size < mostParts) this.#parts.set(key, place.from);
  }
}
