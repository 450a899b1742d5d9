import { thousands } from '@candleproof/law/reading/words';
import type { Prices } from '@candleproof/law/rules/candle/prices';
import type { TableRow } from '../reading/table.ts';
import { isOrdered, positiveRule } from './law.ts';
import type { Ranges, RowMark } from './ranges.ts';

/** The doubt about prices of shares below zero. */
export const adjustedDoubt = {
  ...{ id: 'price/adjusted-below-zero', kind: 'impossible' as const },
  statement: 'Prices of a market that trades on weekdays, with volumes, are above zero.',
};

/**
 * Fewest rows below zero, each with its four prices in order, of a market that has such prices: eight hours of power that fall
 * from -2 to -5 and rise again show it, a lone row of -40 in a table of days does not.
 */
const fewestOrdered = 8;

/**
 * Fewest different prices below zero of such a market in a table whose rows are one price each: yields of -0.61, -0.6, … -0.54
 * show it, a sentinel of -1 in a hundred rows is one price.
 */
const fewestPrices = 8;

/** Held rows after which the market is judged by them, so that memory holds no more: nearly half a year of hours. */
const mostHeld = 4096;

/** Share of the rows below zero whose four prices must be in order: 45 of 50 are a market, 40 of 50 are damage. */
const leastOrdered = 0.9;

/** Share of the steps from a row above zero to one below that must be short: three of four, as a night may hold a long one. */
const leastNear = 0.75;

/**
 * Ranges of the row before by which the first row below zero may open away from its close, and reach below its low: after a
 * row from 2 to 3 that closes at 2.5, one may open at -1.5 and fall to -6, but not to -99.
 */
const [farApart, farBelow] = [4, 8];

/**
 * A price below zero is the one before with a wrong sign if its size differs by at most this share: -24.3 after 24.1 is, and -20
 * is a price of its own.
 */
const sameSize = 0.1;

/**
 * Tells of the rows so far whether each is a single price (open, high, low and close are equal) without a volume, and whether
 * they are scaled values, of which 0 is the least.
 */
type TableSoFar = { readonly isOfSinglePrices: () => boolean; readonly areScaled: () => boolean };

/**
 * Holds breaches of rows with prices below zero until the table shows that its market has such prices, as power, spreads
 * and yields do: many rows in order, at which the prices before arrive step by step. Wrong signs and sentinels do not.
 * A few rows are released alone if prices go below zero and return step by step, as those of crude oil in April 2020.
 */
export class BelowZero {
  #held: RowMark[] = [];
  #isDecided = false;
  #ordered = 0;
  #other = 0;
  #near = 0;
  #far = 0;
  /** Different prices below zero in rows of one price, up to `fewestPrices`. */
  readonly #prices = new Set<number>();
  /** Number of rows whose breach was held back. */
  rows = 0;
  /** Number of these whose breach was dropped because prices went there and returned step by step. */
  released = 0;
  /** True while the last row was one below zero; the next shows how prices return. */
  isWithin = false;
  #isStepwise = false;
  #hasBoundary = false;
  #firstHeld = 0;
  /** From the first to the last row whose breach was held back, at the line of the first that came. */
  #span: RowMark | undefined;
  readonly #found: Ranges;
  readonly #table: TableSoFar;

  constructor(found: Ranges, table: TableSoFar) {
    this.#found = found;
    this.#table = table;
  }

  /** Returns whether prices below zero belong to the market. */
  get isUsual(): boolean {
    const areOrdered = this.#ordered >= Math.max(fewestOrdered, leastOrdered * (this.#ordered + this.#other));
    const hasPrices = this.#prices.size >= fewestPrices && this.#table.isOfSinglePrices();
    return (areOrdered || hasPrices) && this.#near >= leastNear * (this.#near + this.#far);
  }

  /**
   * Holds back the breach of a row with prices of zero or below and returns true; returns false if the breach is to be reported
   * now. `before` has the prices of the row before, 0 without one.
   */
  keep(row: TableRow, before: Prices, breach: RowMark): boolean {
    const wasWithin = this.isWithin;
    this.isWithin = false;
    if (breach.rules[0] !== positiveRule) return false;
    const { high, low } = row;
    if (!isOrdered(row) || breach.rules.length > 1) {
      this.#other++;
      return false;
    }
    // A row of one price, such as 0 or -1 for none, shows nothing beside candles.
    if (high === low) this.#notePrice(low, before);
    else {
      if (low < 0) this.#ordered++;
      if (before.low > 0) this.#count(isNear(row, before));
      this.#goThrough(row, before, wasWithin);
    }
    return this.#hold(breach);
  }

  /** Takes the row above zero that follows rows below: releases those if prices went there and returned step by step. */
  leave(row: TableRow, before: Prices): void {
    this.isWithin = false;
    if (this.#isDecided || !this.#isStepwise || !this.#hasBoundary || !isStep(row, before)) return;
    this.released += this.#held.splice(this.#firstHeld).length;
  }

  /**
   * Follows the rows below zero. Two neighbors that meet there, of which one closes at -37.6 and the next opens at -14, show that
   * prices were there; a low of -40.3 between an open and a close above zero may be a wrong sign.
   */
  #goThrough(row: Prices, before: Prices, wasWithin: boolean): void {
    this.isWithin = true;
    if (!wasWithin) {
      this.#firstHeld = this.#held.length;
      this.#isStepwise = before.low > 0;
      this.#hasBoundary = false;
    }
    this.#isStepwise &&= isStep(row, before);
    this.#hasBoundary ||= (before.close < 0 && row.open < 0) || (row.close < 0 && before.open < 0);
  }

  /** Notes the price of a row of one price; one with a wrong sign has the size of that before. */
  #notePrice(price: number, before: Prices): void {
    if (price < 0 && this.#prices.size < fewestPrices) this.#prices.add(price);
    if (before.low > 0 && before.low === before.high)
      this.#count(Math.abs(price + before.low) > sameSize * before.low);
  }

  #count(isNear: boolean): void {
    if (isNear) this.#near++;
    else this.#far++;
  }

  #hold(mark: RowMark): boolean {
    if (this.#isDecided && !this.isUsual) return false;
    this.rows++;
    const { from = mark.from, to = mark.to, line = mark.line } = this.#span ?? {};
    this.#span = { ...mark, from: Math.min(from, mark.from), to: Math.max(to, mark.to), line };
    if (this.#isDecided) return true;
    if (this.#held.length === 0) this.#found.onPlace?.(mark.line);
    this.#held.push(mark);
    if (this.#held.length >= mostHeld) this.end();
    return true;
  }

  /**
   * Returns the mark of all rows below zero as ones that an adjustment has put there; undefined if there are none, or if their
   * breaches are reported one by one. The caller knows that the market is one of shares, whose prices are never below zero.
   */
  markAdjusted(): RowMark | undefined {
    if (this.#span === undefined || !this.isUsual) return undefined;
    const { from, to, line } = this.#span;
    return {
      ...{ from, to, line, rows: this.rows, kind: 'impossible', certainty: 'suspicion', rules: [] },
      ...{ doubt: adjustedDoubt.id, severity: 'likely' },
      detail: `${thousands(this.rows)} rows have prices of zero or below, as by an adjustment for dividends that subtracts: no return of them means anything`,
    };
  }

  /** Decides about the breaches that wait. */
  end(): void {
    this.#isDecided = true;
    if (!this.isUsual && !this.#table.areScaled()) for (const mark of this.#held) this.#found.add(mark);
    this.#held = [];
  }
}

/** Returns whether a row below zero lies near the one before, which is above. */
function isNear(row: Prices, before: Prices): boolean {
  const range = before.high - before.low;
  return measureStep(row, before) <= farApart * range && before.low - row.low <= farBelow * range;
}

/** Returns whether one of two neighbors, in either order, opens near the close of the other. */
function isStep(one: Prices, other: Prices): boolean {
  return measureStep(one, other) <= farApart * Math.min(one.high - one.low, other.high - other.low);
}

function measureStep(one: Prices, other: Prices): number {
  return Math.min(Math.abs(one.open - other.close), Math.abs(one.close - other.open));
}

/** Fewest rows with a low of 0 in a table of scaled values; one in a table of prices is damage. */
const fewestZeros = 2;

/**
 * Learns whether all values of a table lie between 0 and 1 and reach both, as those of a learning program that scales them, or
 * chances, do: no price is 0 in a market whose highest is 1.
 */
export class ScaledPrices {
  #highest = Number.NEGATIVE_INFINITY;
  #lowest = Number.POSITIVE_INFINITY;
  #zeros = 0;

  note(high: number, low: number): void {
    if (high > this.#highest) this.#highest = high;
    if (low < this.#lowest) this.#lowest = low;
    if (low === 0) this.#zeros++;
  }

  /** True if the values so far are scaled ones. */
  get areScaled(): boolean {
    return this.#highest === 1 && this.#lowest === 0 && this.#zeros >= fewestZeros;
  }
}
