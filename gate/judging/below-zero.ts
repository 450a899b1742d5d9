import type { Prices } from '../../contract/law/candle/prices.ts';
import type { TableRow } from '../reading/table.ts';
import { rowRules } from './law.ts';
import type { Ranges, RowMark } from './ranges.ts';

/** Rows whose range lies below zero, or reaches there, from which a market has such prices; and most that wait. */
const [fewest, mostHeld] = [8, 4096];

/** Share of such rows whose prices must be in order, and of the ways from above zero to them that must be short. */
const [leastOrdered, leastNear] = [0.9, 0.75];

/** Ranges of the row before by which the first row below zero may open away from its close, and reach below its low. */
const [farApart, farBelow] = [4, 8];

/**
 * Holds breaches of rows with prices below zero until the table shows that its market has such prices, as power, spreads
 * and yields do: many rows in order, at which the prices before arrive step by step. Wrong signs and sentinels do not.
 */
export class BelowZero {
  #held: RowMark[] = [];
  #isDecided = false;
  #ordered = 0;
  #other = 0;
  #near = 0;
  #far = 0;
  /** Number of rows whose breach was held. */
  rows = 0;
  readonly #found: Ranges;

  constructor(found: Ranges) {
    this.#found = found;
  }

  /** Returns whether prices below zero belong to the market. */
  get isUsual(): boolean {
    return (
      this.#ordered >= Math.max(fewest, leastOrdered * (this.#ordered + this.#other)) &&
      this.#near >= leastNear * (this.#near + this.#far)
    );
  }

  /** Returns whether it keeps the breach of a row. `before` has the prices of the row before, 0 without one. */
  keep(row: TableRow, before: Prices, breach: RowMark): boolean {
    if (breach.rules[0] !== rowRules[3]) return false;
    const { open, high, low, close } = row;
    const isOrdered = high >= Math.max(open, close) && low <= Math.min(open, close);
    if (!isOrdered || breach.rules.length > 1) {
      this.#other++;
      return false;
    }
    // A row of one price, such as 0 or -1 for none, shows nothing.
    if (high !== low && low < 0) this.#ordered++;
    if (high !== low && before.low > 0) this.#compare(row, before);
    return this.#hold(breach);
  }

  #compare({ open, low, close }: Prices, before: Prices): void {
    const range = before.high - before.low;
    const apart = Math.min(Math.abs(open - before.close), Math.abs(close - before.open));
    if (apart <= farApart * range && before.low - low <= farBelow * range) this.#near++;
    else this.#far++;
  }

  #hold(mark: RowMark): boolean {
    if (this.#isDecided && !this.isUsual) return false;
    this.rows++;
    if (this.#isDecided) return true;
    if (this.#held.length === 0) this.#found.onPlace?.(mark.line);
    this.#held.push(mark);
    if (this.#held.length >= mostHeld) this.end();
    return true;
  }

  /** Decides about the breaches that wait. */
  end(): void {
    this.#isDecided = true;
    if (!this.isUsual) for (const mark of this.#held) this.#found.add(mark);
    this.#held = [];
  }
}
