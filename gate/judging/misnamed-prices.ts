import type { Prices } from '../../contract/law/candle/prices.ts';
import { findPriceOrders, type PriceOrder } from '../../contract/layout/price-order.ts';
import type { TableRow } from '../reading/table.ts';
import { rowRules } from './law.ts';
import type { RowMark } from './ranges.ts';

const names = ['open', 'high', 'low', 'close'] as const;

/** Rows with a range that decide, and the shares of them that must be impossible as named and sound in the other order. */
const [fewest, leastImpossible, leastSound] = [12, 0.5, 0.95];

/** Returns what puts the prices of a table in order whose first rows fit another one than their names; in order of time. */
export function findMisnamed(rows: readonly TableRow[]): MisnamedPrices | undefined {
  const ranged = rows.filter(({ open, high, low, close }) => low > 0 && (open !== close || high !== low));
  const share = (order: PriceOrder): number =>
    ranged.filter((row) => isSound(arrange(row, order))).length / ranged.length;
  if (ranged.length < fewest || share(named) > 1 - leastImpossible) return undefined;
  const columns = names.map((name) => ranged.map((row) => row[name]));
  const [order, other] = findPriceOrders(columns, [0, 1, 2, 3]);
  // Swapped highs and lows have words of their own.
  if (order === undefined || other !== undefined || (order.high === named.low && order.low === named.high))
    return undefined;
  return share(order) >= leastSound ? new MisnamedPrices(order) : undefined;
}

const named: PriceOrder = { open: 0, high: 1, low: 2, close: 3 };

function arrange({ open, high, low, close }: Prices, order: PriceOrder): Prices {
  const values = [open, high, low, close];
  const take = (name: keyof PriceOrder): number => values[order[name]] as number;
  return { open: take('open'), high: take('high'), low: take('low'), close: take('close') };
}

function isSound({ open, high, low, close }: Prices): boolean {
  return high >= Math.max(open, close) && low <= Math.min(open, close);
}

/** Puts prices in the order that they fit, so that their names are reported once, and judges them for other damage. */
export class MisnamedPrices {
  #from = Number.NaN;
  #to = Number.NaN;
  #line = 0;
  #rows = 0;
  readonly #order: PriceOrder;

  constructor(order: PriceOrder) {
    this.#order = order;
  }

  turn(row: TableRow): void {
    const { start } = row;
    Object.assign(row, arrange(row, this.#order));
    if (this.#rows++ === 0) this.#line = row.line;
    if (!(start >= this.#from)) this.#from = start;
    if (!(start <= this.#to)) this.#to = start;
  }

  /** Returns the mark of all rows. `length` is the interval in seconds. */
  mark(length: number): RowMark {
    const place = { from: this.#from, to: this.#to + length, line: this.#line, rows: this.#rows };
    const fitting = names.toSorted((one, other) => this.#order[one] - this.#order[other]).join(',');
    const detail = `the values of ${names.join(',')} fit ${fitting}; give --columns`;
    return { ...place, kind: 'impossible', certainty: 'breach', rules: [rowRules[1], rowRules[2]], detail };
  }
}
