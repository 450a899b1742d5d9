import { measurePrecision } from '@candleproof/law/reading/tolerances';
import { graveOdds } from './detector.ts';
import { countRuns, type RunKind } from './runs.ts';

/** Different closes among rows without the last digit from which they are suspected. */
const fewestCloses = 20;

/**
 * Moves that count as one more close where few closes are different: 300 minutes of a currency at 1.0577, 1.0578, 1.0579 …
 * have eight closes, but move eighty times, each time to a last digit of 0.
 */
const [movesOfClose, fewestOfMoves] = [3, 5];

/** Share of the other rows that have the digit: of ten digits one is 0, and of ticks of five every second. */
const usualShare = 0.8;

/**
 * Share of them from which a run is suspected that no other is a third as long as: of quarters of a point, every second lacks
 * the digit, but hardly twenty in a row, where 300 were rounded.
 */
const [leastShare, timesAmongMany] = [0.4, 3];

/** Most runs of a table that are rounded ones: hours before and after each session may lack digits in the source, forty of them. */
const mostRuns = 4;

/** Least rows with the digit, as a share of those without it: a few rows of another unit have more digits than the others. */
const leastFine = 0.25;

/** Rows that lack the digit by chance now and then. */
const minRounded = 8;

/** Rows before a run, and as many after it, of which so many share as of all others have the digit: a tick that lasts has none beside it. */
const [beside, leastBeside] = [100, 0.5];

/**
 * Most rows, and share of the table, that a source rounds: 300 of 3,000, but 8,547 of 21,800 hours are those of a tick that the
 * exchange made ten times as large and later small again.
 */
const mostRounded = { rows: 500, share: 0.1 };

/**
 * Parts of a price in which shares and bonds were quoted, 64, and in which single precision keeps sums: a run of these, 110.53125 and
 * 110.5625, lacks decimals by its ticks.
 */
const parts = 4096;

/**
 * Most decimals that are looked at, and what is left of a whole number of the last digit by the arithmetic of doubles, at least and as
 * a share of it: 30.9 · 10⁹ is 30900000000.000004.
 */
const [mostDecimals, slack, slackShare] = [10, 1e-6, 1e-15];
const slackValue = slack / slackShare;

/** Digits that a double holds of any decimal, and most of a price that arithmetic has left with more. */
const [wholeDigits, pricedDigits] = [15, 12];

/** Counts the decimals in which closes are written; 1.3367499999999999, as a program prints a sum, has five. */
export function countDecimals(closes: Float64Array): number {
  const written = closes.map((close) => {
    const price = Number(close.toPrecision(pricedDigits));
    return price === Number(close.toPrecision(wholeDigits)) ? price : close;
  });
  return Math.min(mostDecimals, measurePrecision(written).decimals);
}

/**
 * Rows whose prices were rounded, such as by another source, between rows whose prices were not. Newer prices may have
 * fewer digits for good, as those after the last dividend of adjusted ones.
 */
export const roundedPrices: RunKind = {
  doubt: {
    ...{ id: 'price/rounded', kind: 'rounded' },
    statement: 'No closes lack the last digit of those before and after them for a hundred rows and more.',
  },
  ...{ lead: 0, fewest: 100, fewestMarked: fewestCloses, isBetween: true },
  open({ columns: { close, line } }) {
    /** Number of last but one digits in a price; undefined until the first rows show it. */
    let coarse: number | undefined;
    /** Decimals of which single precision has made those that are written, 68.475197 of 68.4752; undefined if it has not. */
    let decimals: number | undefined;
    /** The different closes of a run so far. A set that is emptied so often would keep what it held before in memory. */
    const closes = new Float64Array(fewestCloses);
    let [size, moves] = [0, 0];
    const neighbors = new RunNeighbors();
    return {
      flag(from, to, flags) {
        if (coarse === undefined) {
          const written = countDecimals(close.subarray(from, to));
          coarse = 10 ** (written - 1);
          decimals = findSingleDecimals(close.subarray(from, to), written);
        }
        for (let at = from; at < to; at++) {
          const price = close[at] as number;
          const value = price * coarse;
          const rest = value - Math.floor(value + 0.5);
          const most = value < slackValue ? slack : slackShare * value;
          if (rest < most && rest > -most) {
            flags[at] = 1;
            neighbors.addCoarse(price);
          } else neighbors.addFine(price, line[at - 1] as number);
        }
      },
      marks(at, rows) {
        if (rows === 1) size = moves = 0;
        if (size === fewestCloses) return false;
        const price = close[at] as number;
        if (decimals !== undefined && isCoarseSingle(price, decimals, coarse as number)) return false;
        for (let known = 0; known < size; known++)
          if (closes[known] === price)
            return price !== close[at - 1] && ++moves % movesOfClose === 0 && size >= fewestOfMoves;
        closes[size++] = price;
        return true;
      },
      judge(run, { rows, alike, lengths }) {
        const other = lengths.subarray(1, minRounded).reduce((sum, runs, at) => sum + runs * (at + 1), 0);
        const fine = rows - alike;
        if (countRuns(lengths, roundedPrices.fewest) > mostRuns) return undefined;
        const isAlone = countRuns(lengths, run.rows / timesAmongMany) === 1;
        const least = isAlone ? leastShare : usualShare;
        if (fine < Math.max(least * (fine + other), leastFine * alike)) return undefined;
        if (run.rows > Math.max(mostRounded.rows, mostRounded.share * rows)) return undefined;
        if (neighbors.explains(run.lastLine, (leastBeside * fine) / (fine + other))) return undefined;
        const detail = `${run.rows} closes in a row lack the last digit of the others, as rounded ones do`;
        return { detail, odds: graveOdds };
      },
    };
  },
};

/** Finds the decimals of which single precision has made those that are written; undefined if it has not. */
function findSingleDecimals(closes: Float64Array, written: number): number | undefined {
  const isSingle = (price: number, decimals: number): boolean =>
    Math.abs(makeSingle(price, decimals) - price) * 10 ** written <= 0.5 + slack;
  let decimals = written;
  while (decimals > 1 && closes.every((price) => isSingle(price, decimals - 1))) decimals--;
  return decimals < written ? decimals : undefined;
}

/** Returns whether a price lacks the last digit in single precision too: 15.4231, where 17.423099 is 17.4231. */
function isCoarseSingle(price: number, decimals: number, coarse: number): boolean {
  return Math.round(makeSingle(price, decimals) * coarse * 10) % 10 === 0;
}

/** Returns what single precision makes of a price of so many decimals. */
function makeSingle(price: number, decimals: number): number {
  return Math.fround(Math.round(price * 10 ** decimals) / 10 ** decimals);
}

/**
 * The rows beside a run: whether they have the digit, whether the run is in ticks that are no decimals, and whether most of its
 * closes pass a power of ten that those before it do not: prices of five digits lose a decimal at 100.
 */
type Neighbors = {
  readonly before: number;
  after: number;
  seen: number;
  readonly isOfParts: boolean;
  readonly isHigher: boolean;
};

/** Most runs whose neighbors are remembered, as many as places wait for the end of a table. */
const mostRemembered = 10_000;

/** Learns what lies beside runs of a hundred rows and more. */
class RunNeighbors {
  readonly #runs = new Map<number, Neighbors>();
  /** Which of the last rows have the digit, as a ring, and the number of them. */
  readonly #recent = new Uint8Array(beside);
  #rows = 0;
  #fine = 0;
  /** The run so far, the share of rows with the digit before it, and closes of it that are parts, whole ones apart. */
  #coarse = 0;
  #before = 0;
  #parts = 0;
  #whole = 0;
  /** The highest closes with the digit among the last rows and those before them; the next power of ten, and closes of the run above it. */
  #highest = 0;
  #highestBefore = 0;
  #power = 0;
  #powerOf = 0;
  #higher = 0;
  #open: Neighbors | undefined;

  addCoarse(price: number): void {
    if (this.#coarse++ === 0) {
      this.#before = this.#fine / Math.min(beside, this.#rows);
      this.#parts = 0;
      this.#whole = 0;
      this.#higher = 0;
      const highest = this.#highest > this.#highestBefore ? this.#highest : this.#highestBefore;
      if (highest !== this.#powerOf) {
        this.#powerOf = highest;
        this.#power = 10 ** Math.floor(Math.log10(highest) + 1);
      }
    }
    if (price >= this.#power) this.#higher++;
    if (Number.isInteger(price)) this.#whole++;
    else if (Number.isInteger(parts * price)) this.#parts++;
    this.#note(0);
  }

  /** Takes a row with the digit; `lastLine` is the line of the row before it. */
  addFine(price: number, lastLine: number): void {
    if (this.#coarse >= roundedPrices.fewest && this.#runs.size < mostRemembered) {
      const isOfParts = this.#parts > 0 && this.#parts + this.#whole === this.#coarse;
      const isHigher = 2 * this.#higher > this.#coarse;
      this.#open = { before: this.#before, after: 0, seen: 0, isOfParts, isHigher };
      this.#runs.set(lastLine, this.#open);
    }
    this.#coarse = 0;
    if (price > this.#highest) this.#highest = price;
    this.#note(1);
  }

  /** Returns whether the ticks of a run that ends at a line, or the height of its closes, explain that it lacks the digit. */
  explains(lastLine: number, least: number): boolean {
    const run = this.#runs.get(lastLine);
    if (run === undefined) return false;
    return run.isOfParts || run.isHigher || Math.min(run.before, run.after / run.seen) < least;
  }

  #note(isFine: 0 | 1): void {
    const at = this.#rows++ % beside;
    if (at === 0) {
      this.#highestBefore = this.#highest;
      this.#highest = 0;
    }
    this.#fine += isFine - (this.#recent[at] as number);
    this.#recent[at] = isFine;
    if (this.#open === undefined) return;
    this.#open.after += isFine;
    if (++this.#open.seen === beside) this.#open = undefined;
  }
}
