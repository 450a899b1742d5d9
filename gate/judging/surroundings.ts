import type { GateCandle } from '../gated.ts';
import { emptyRow, type TableRow } from '../reading/table.ts';
import type { PlacedRow } from './law.ts';

/** Rows that are kept before and after a place. */
const around = 15;

/** Rows that are read before a place is known, because the next two decide about the order. */
const latest = 4;

type RowWindow = { readonly line: number; readonly candles: GateCandle[]; left: number };

/** Keeps the rows around a few places of a table while it is read: some ten windows, whatever its length. */
export class Surroundings {
  readonly #length: number;
  readonly #recent = Array.from({ length: around + latest }, emptyRow);
  readonly #windows: RowWindow[] = [];
  #open: RowWindow[] = [];
  #count = 0;

  /** `length` is the interval in seconds. */
  constructor(length: number) {
    this.#length = length;
  }

  note(row: TableRow): void {
    const kept = this.#recent[this.#count++ % this.#recent.length] as TableRow;
    kept.line = row.line;
    kept.start = row.start;
    kept.open = row.open;
    kept.high = row.high;
    kept.low = row.low;
    kept.close = row.close;
    kept.avg = row.avg;
    if (this.#open.length === 0) return;
    for (const window of this.#open) this.#extend(window, row);
    this.#open = this.#open.filter(({ left }) => left > 0);
  }

  /** Keeps the rows around a recently read line. */
  keep(line: number): void {
    const { length } = this.#recent;
    const rows = this.#recent.map((_, at) => this.#recent[(this.#count + at) % length] as TableRow);
    const at = rows.findIndex((row) => row.line === line);
    if (at < 0 || this.list(line)) return;
    const window = { line, candles: [], left: around + Math.min(around, at) + 1 };
    for (const row of rows.slice(Math.max(0, at - around))) this.#extend(window, row);
    this.#windows.push(window);
    this.#open.push(window);
  }

  /** Returns the candles around a line; undefined if they were not kept. */
  list(line: number): readonly GateCandle[] | undefined {
    return this.#windows.find((window) => window.line === line)?.candles;
  }

  /** Adds a row whose prices can be drawn. */
  #extend(window: RowWindow, row: TableRow): void {
    const { line, start, open, high, low, close } = row;
    if (window.left-- <= 0 || line === 0 || ![start, open, high, low, close].every(Number.isFinite)) return;
    window.candles.push(toGateCandle(row, this.#length));
  }
}

/** Returns a row as a candle to draw. `length` is the interval in seconds. */
export function toGateCandle(row: Omit<PlacedRow, 'end' | 'line' | 'reading'>, length: number): GateCandle {
  const { start, open, high, low, close, avg } = row;
  const candle = { start, end: start + length, open, high, low, close };
  return Number.isFinite(avg) ? { ...candle, avg } : candle;
}
