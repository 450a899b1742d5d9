import { findPriceOrders, type PriceOrder } from '@candleproof/document/layout/price-order';
import { thousands } from '@candleproof/law/reading/words';
import type { Prices } from '@candleproof/law/rules/candle/prices';
import type { TableRow } from '../reading/table.ts';
import { highRule, isOrdered, lowRule } from './law.ts';
import type { RowMark } from './ranges.ts';

const names = ['open', 'high', 'low', 'close'] as const;

/** Rows with a range that decide, and the shares of them that must be impossible as named and sound in the other order. */
const [fewest, leastImpossible, leastSound] = [12, 0.5, 0.95];

/** Returns what puts the prices of a table right whose first rows, in order of time, fit other names. */
export function findMisnamed(rows: readonly TableRow[]): MisnamedPrices | undefined {
  return findOrder(rows) ?? findSwapped(rows);
}

function findOrder(rows: readonly TableRow[]): MisnamedPrices | undefined {
  const ranged = rows.filter(({ open, high, low, close }) => low > 0 && (open !== close || high !== low));
  const share = (order: PriceOrder): number =>
    ranged.filter((row) => isOrdered(arrange(row, order))).length / ranged.length;
  if (ranged.length < fewest || share(named) > 1 - leastImpossible) return undefined;
  const columns = names.map((name) => ranged.map((row) => row[name]));
  const [order, other] = findPriceOrders(columns, [0, 1, 2, 3]);
  // Swapped highs and lows have words of their own.
  if (order === undefined || other !== undefined || (order.high === named.low && order.low === named.high))
    return undefined;
  if (share(order) < leastSound) return undefined;
  const turn = (row: TableRow): boolean => {
    Object.assign(row, arrange(row, order));
    return true;
  };
  const fitting = names.toSorted((one, other) => order[one] - order[other]).join(',');
  return new MisnamedPrices(turn, () => `the values of ${names.join(',')} fit ${fitting}; give --columns`);
}

const named: PriceOrder = { open: 0, high: 1, low: 2, close: 3 };

function arrange({ open, high, low, close }: Prices, order: PriceOrder): Prices {
  const values = [open, high, low, close];
  const take = (name: keyof PriceOrder): number => values[order[name]] as number;
  return { open: take('open'), high: take('high'), low: take('low'), close: take('close') };
}

/** Number and share of rows with swapped high and low from which the columns are: other rows may have other damage. */
const [fewestSwapped, leastSwapped] = [3, 0.9];

/** Returns what turns high and low of a table that swaps them in every row of its first ones. */
function findSwapped(rows: readonly TableRow[]): MisnamedPrices | undefined {
  const ranged = rows.filter(({ high, low }) => high !== low && high > 0 && low > 0);
  const swapped = ranged.filter(({ high, low }) => high < low).length;
  if (swapped < fewestSwapped || swapped < leastSwapped * ranged.length) return undefined;
  let isEvery = true;
  const turn = (row: TableRow): boolean => {
    const { high, low } = row;
    if (high > low) isEvery = false;
    if (!(high < low)) return false;
    row.high = low;
    row.low = high;
    return true;
  };
  const describe = (count: number): string =>
    `high and low are swapped in ${isEvery ? 'every row' : `${thousands(count)} rows`}`;
  return new MisnamedPrices(turn, describe);
}

/** Puts prices under the names that they fit, so that these are reported once, and the prices judged for other damage. */
export class MisnamedPrices {
  #from = Number.NaN;
  #to = Number.NaN;
  #line = 0;
  #lastLine = 0;
  #rows = 0;
  readonly #turn: (row: TableRow) => boolean;
  readonly #describe: (rows: number) => string;

  /** `turn` returns whether it has changed the row. */
  constructor(turn: (row: TableRow) => boolean, describe: (rows: number) => string) {
    this.#turn = turn;
    this.#describe = describe;
  }

  turn(row: TableRow): void {
    if (!this.#turn(row)) return;
    const { start } = row;
    if (this.#rows++ === 0) this.#line = row.line;
    this.#lastLine = row.line;
    if (!(start >= this.#from)) this.#from = start;
    if (!(start <= this.#to)) this.#to = start;
  }

  /** Returns the mark of all rows that were turned. `length` is the interval in seconds. */
  mark(length: number): RowMark {
    const lines = { line: this.#line, lastLine: this.#lastLine };
    const place = { from: this.#from, to: this.#to + length, ...lines, rows: this.#rows };
    const detail = this.#describe(this.#rows);
    return { ...place, kind: 'impossible', certainty: 'breach', rules: [highRule, lowRule], detail };
  }
}
