import { thousands } from '../../contract/reading/thousands.ts';
import type { TableRow } from '../reading/table.ts';
import { rowRules } from './law.ts';
import type { RowMark } from './ranges.ts';

/** Number and share of rows with swapped high and low from which the columns are: other rows may have other damage. */
const [fewest, leastShare] = [3, 0.9];

/** Returns what turns high and low of a table that swaps them in every row of its first ones. */
export function findTurned(rows: readonly TableRow[]): TurnedRange | undefined {
  const ranged = rows.filter(({ high, low }) => high !== low && high > 0 && low > 0);
  const swapped = ranged.filter(({ high, low }) => high < low).length;
  return swapped >= fewest && swapped >= leastShare * ranged.length ? new TurnedRange() : undefined;
}

/** Turns swapped highs and lows the right way, so that they are reported once, and judged for other damage. */
export class TurnedRange {
  #from = Number.NaN;
  #to = Number.NaN;
  #line = 0;
  #rows = 0;
  #isEvery = true;

  turn(row: TableRow): void {
    const { start, high, low } = row;
    if (high > low) this.#isEvery = false;
    if (!(high < low)) return;
    row.high = low;
    row.low = high;
    if (this.#rows++ === 0) this.#line = row.line;
    if (!(start >= this.#from)) this.#from = start;
    if (!(start <= this.#to)) this.#to = start;
  }

  /** Returns the mark of all swapped rows. `length` is the interval in seconds. */
  mark(length: number): RowMark {
    const rows = this.#rows;
    const place = { from: this.#from, to: this.#to + length, line: this.#line, rows };
    const where = this.#isEvery ? 'every row' : `${thousands(rows)} rows`;
    const rules = [rowRules[1], rowRules[2]];
    const detail = `high and low are swapped in ${where}`;
    return { ...place, kind: 'impossible', certainty: 'breach', rules, detail };
  }
}
