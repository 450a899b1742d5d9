import { far, isWide } from '../../contract/law/history/outliers.ts';
import { isTellingVolume, movesAlike } from '../../contract/law/history/steps.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { emptyRow, type TableRow } from '../reading/table.ts';
import type { Ranges } from './ranges.ts';

export const copyRule = 'history/no-row-is-copied';

/** Minimum number of consecutive rows for a standstill. */
const fewestFlat = 12;

/** Finds copies, standstills and spikes in consecutive rows. Holds only two rows and the current standstill. */
export class Observer {
  readonly #found: Ranges;
  readonly #length: number;
  readonly #one = emptyRow();
  readonly #other = emptyRow();
  #newest = this.#one;
  #before = this.#other;
  #rows = 0;
  readonly #flat = { from: 0, to: 0, line: 0, rows: 0, price: Number.NaN };

  constructor(length: number, found: Ranges) {
    this.#length = length;
    this.#found = found;
  }

  take(row: TableRow): void {
    const { start, line, open, high, low, close, volume } = row;
    if (this.#rows > 1) this.#lookForSpike(close);
    if (isWide(row)) this.#suspect(row, `high ${high} is more than ${far.spread} times low ${low}`);
    if (movesAlike(this.#newest, row) && this.#newest.volume === volume) this.#lookForCopy(row);
    if (high === low) this.#lengthen(row);
    else if (this.#flat.rows > 0) this.#endFlat();
    const kept = this.#before;
    kept.start = start;
    kept.line = line;
    kept.open = open;
    kept.high = high;
    kept.low = low;
    kept.close = close;
    kept.volume = volume;
    this.#before = this.#newest;
    this.#newest = kept;
    this.#rows++;
  }

  end(): void {
    this.#endFlat();
  }

  /** Reports a close far above or far below both neighbors. A change of level is not a spike. */
  #lookForSpike(after: number): void {
    const { close } = this.#newest;
    const before = this.#before.close;
    const isAbove = close > far.close * before && close > far.close * after;
    const isBelow = close * far.close < before && close * far.close < after;
    if (isAbove || isBelow)
      this.#suspect(
        this.#newest,
        `close ${close} between ${before} before and ${after} after: ${far.close} times`,
      );
  }

  #lookForCopy(row: TableRow): void {
    if (!isTellingVolume(row.volumeText || String(row.volume))) return;
    this.#found.add({
      ...{ from: row.start, to: row.start + this.#length, line: row.line, kind: 'copy', certainty: 'breach' },
      ...{
        rules: [copyRule],
        detail: 'prices and volume of its own were expected, those of the row before are there',
      },
    });
  }

  #lengthen({ start, line, close }: TableRow): void {
    const flat = this.#flat;
    if (flat.rows > 0 && flat.price !== close) this.#endFlat();
    if (flat.rows === 0) Object.assign(flat, { from: start, to: start, line, price: close });
    flat.from = Math.min(flat.from, start);
    flat.to = Math.max(flat.to, start);
    flat.rows++;
  }

  #endFlat(): void {
    const { from, to, line, rows, price } = this.#flat;
    this.#flat.rows = 0;
    if (rows < fewestFlat) return;
    this.#found.add({
      ...{ from, to: to + this.#length, line, rows, kind: 'flat', certainty: 'suspicion', rules: [] },
      detail: `the price of ${price} does not move in ${thousands(rows)} rows`,
    });
  }

  #suspect({ start, line }: TableRow, detail: string): void {
    const to = start + this.#length;
    this.#found.add({ from: start, to, line, kind: 'spike', certainty: 'suspicion', rules: [], detail });
  }
}
