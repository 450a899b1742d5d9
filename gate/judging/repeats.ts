import { isTellingVolume } from '../../contract/law/history/steps.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import {
  type Detector,
  type Doubt,
  extendPlace,
  findPlace,
  type HeldPlace,
  HeldPlaces,
  oddsOfRun,
  suspect,
} from './detector.ts';
import type { Ranges } from './ranges.ts';
import type { RowWindow } from './row-window.ts';

export const copyRule = 'history/no-row-is-copied';

/** The doubts about rows that repeat one another. */
export const repeatDoubts = {
  copies: {
    ...{ id: 'row/repeated', kind: 'copy' },
    statement: 'No three rows in a row have the same prices, with a range, and the same volume.',
  },
  flat: {
    ...{ id: 'price/flat', kind: 'flat' },
    statement: 'No twelve rows, and twelve times as many as usual, repeat one row\u2019s prices.',
  },
} as const satisfies Record<string, Doubt>;

/** Minimum number of consecutive rows for a standstill, and of equal rows with a range for a copy. */
const [fewestFlat, fewestCopies] = [12, 3];

/** Least number of times that a table has the rows of a copy: fewer do not show what is usual. */
const fewestTimes = 4;

/** Prices that a row without a volume needs for a copy: two are often those of one tick. */
const fewestPrices = 3;

/** Lengths of standstills that are counted separately; longer ones count as the longest. */
const mostCounted = 4096;

/** Times as many rows that a standstill needs if most of its rows have a volume of their own: trades at one price. */
const tradedTimes = 4;

/** Rows that repeat the prices of the first, and how many of them have a volume that differs from the row before. */
type Still = HeldPlace & { readonly price: number; traded: number };

/** Finds copies and standstills. */
export class Repeats implements Detector {
  readonly #window: RowWindow;
  readonly #found: Ranges;
  /** Number of standstills by their rows; a row that moves counts as one of length 1. */
  readonly #stills = new Uint32Array(mostCounted + 1);
  readonly #long = new HeldPlaces<Still>();
  readonly #copies = new HeldPlaces();
  #still: Still | undefined;
  #copy: Still | undefined;
  /** Number of rows that repeat the prices before them. */
  #repeating = 0;
  /** Number of runs of equal rows with a range. */
  #copied = 0;

  constructor(window: RowWindow, found: Ranges) {
    this.#window = window;
    this.#found = found;
  }

  judge(from: number, to: number): void {
    const { open, high, low, close } = this.#window.columns;
    for (let at = from; at < to; at++) {
      const isSame =
        at > 0 &&
        close[at] === close[at - 1] &&
        open[at] === open[at - 1] &&
        high[at] === high[at - 1] &&
        low[at] === low[at - 1];
      const isRepeat = isSame && high[at] !== low[at] && this.#isSameVolume(at);
      const isCopy = isRepeat && this.#addCopy(at);
      if (isRepeat && !isCopy) this.#copy = this.#lengthen(this.#copy, at);
      else if (this.#copy !== undefined) this.#endCopy();
      if (isSame && !isCopy) {
        this.#still = this.#lengthen(this.#still, at);
        this.#repeating++;
      } else if (this.#still === undefined) this.#stills[1] = (this.#stills[1] as number) + 1;
      else this.#endStill();
    }
  }

  end(): void {
    if (this.#copy) this.#endCopy();
    if (this.#still) this.#endStill();
    const { rows } = this.#window;
    const usual = this.#commonStillness();
    for (const still of this.#long.all) {
      const unusual = Math.round(still.rows / usual);
      const odds = oddsOfRun(rows, this.#continuation(still.rows) * rows, still.rows - 1);
      const times = 2 * still.traded > still.rows ? tradedTimes : 1;
      if (still.rows < times * fewestFlat * usual || odds === 0) continue;
      const detail = `the price of ${still.price} does not move in ${thousands(still.rows)} rows: ${thousands(unusual)} times the usual number`;
      this.#found.add(suspect(repeatDoubts.flat, still, { detail, odds, unusual }));
    }
    for (const copy of this.#copies.all) {
      if (copy.rows * fewestTimes > rows) continue;
      const odds = oddsOfRun(rows, this.#copied, copy.rows - 1);
      const detail = `${thousands(copy.rows)} rows in a row have the same prices, range and volume`;
      if (odds > 0) this.#found.add(suspect(repeatDoubts.copies, copy, { detail, odds }));
    }
  }

  /** Returns whether the volume is that of the row before, or prices that have none are manifold. */
  #isSameVolume(at: number): boolean {
    const { open, high, low, close, volume } = this.#window.columns;
    const [value, before] = [volume[at] as number, volume[at - 1] as number];
    if (value !== before && (value >= 0 || before >= 0)) return false;
    if (value > 0) return true;
    return new Set([open[at], high[at], low[at], close[at]]).size >= fewestPrices;
  }

  /** Reports a copy; returns false if the volume has too few digits to tell. */
  #addCopy(at: number): boolean {
    const { volume, start, line } = this.#window.columns;
    if (Number.isNaN(volume[at]) || !isTellingVolume(String(volume[at]))) return false;
    const from = start[at] as number;
    this.#found.add({
      ...{
        from,
        to: from + this.#window.length,
        line: line[at] as number,
        kind: 'copy',
        certainty: 'breach',
      },
      rules: [copyRule],
      detail: 'prices and volume of its own were expected, those of the row before are there',
    });
    return true;
  }

  /** Adds a row to the run of those that equal the one before. */
  #lengthen(run: Still | undefined, at: number): Still {
    const { close, volume } = this.#window.columns;
    const traded = Number((volume[at] as number) > 0 && volume[at] !== volume[at - 1]);
    if (run === undefined)
      return { ...findPlace(this.#window, at - 1, at), price: close[at] as number, traded };
    extendPlace(run, this.#window, at);
    run.traded += traded;
    return run;
  }

  #endCopy(): void {
    const copy = this.#copy as Still;
    this.#copy = undefined;
    this.#copied++;
    if (copy.rows >= fewestCopies) this.#copies.add(copy);
  }

  #endStill(): void {
    const still = this.#still as Still;
    this.#still = undefined;
    const counted = Math.min(still.rows, mostCounted);
    this.#stills[counted] = (this.#stills[counted] as number) + 1;
    if (still.rows >= fewestFlat) this.#long.add(still);
  }

  /**
   * Returns the share of rows that continue a standstill: of all rows, or of rows in standstills of four to eight if more
   * do so there, as in quiet hours. Those of so many rows and more do not count.
   */
  #continuation(rows: number): number {
    const count = (from: number): number =>
      this.#stills.subarray(from, Math.min(rows, mostCounted)).reduce((sum, stills) => sum + stills, 0);
    const lasting = count(4) > 0 ? (count(8) / count(4)) ** (1 / 4) : 0;
    return Math.max(lasting, this.#repeating / this.#window.rows);
  }

  /** Returns the median number of rows that repeat one price. */
  #commonStillness(): number {
    let rest = this.#stills.reduce((sum, count) => sum + count, 0) / 2;
    const median = this.#stills.findIndex((count) => {
      rest -= count;
      return rest <= 0;
    });
    return Math.max(1, median);
  }
}
