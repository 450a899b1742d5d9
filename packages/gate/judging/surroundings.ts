import type { GateCandle } from '../gated.ts';
import type { TableRow } from '../reading/table.ts';
import type { PlacedRow } from './law.ts';

/** Rows that are kept before and after a place. */
const around = 15;

/** Rows that are read before a place is known, because the next two decide about the order. */
const latest = 4;

/** Rows that are remembered, and the values of each. */
const [remembered, width] = [around + latest, 7];

type PricedRow = Pick<TableRow, 'line' | 'start' | 'open' | 'high' | 'low' | 'close' | 'avg'>;

type RowWindow = { readonly line: number; readonly candles: GateCandle[]; left: number };

/** Keeps the rows around a few places of a table while it is read: some ten windows, whatever its length. */
export class Surroundings {
  readonly #length: number;
  /** The values of the last rows, one row after the other: an object for each takes longer to fill. */
  readonly #recent = new Float64Array(remembered * width);
  readonly #windows: RowWindow[] = [];
  #open: RowWindow[] = [];
  /** The place of the next row's values. */
  #next = 0;

  /** `length` is the interval in seconds. */
  constructor(length: number) {
    this.#length = length;
  }

  note(row: TableRow): void {
    const at = this.#next;
    const recent = this.#recent;
    recent[at] = row.line;
    recent[at + 1] = row.start;
    recent[at + 2] = row.open;
    recent[at + 3] = row.high;
    recent[at + 4] = row.low;
    recent[at + 5] = row.close;
    recent[at + 6] = row.avg;
    this.#next = at + width === recent.length ? 0 : at + width;
    if (this.#open.length === 0) return;
    for (const window of this.#open) this.#extend(window, row);
    this.#open = this.#open.filter(({ left }) => left > 0);
  }

  /** The row before the last one; its values are 0 if there is none. */
  get before(): PricedRow {
    return this.#read(remembered - 2);
  }

  /** Keeps the rows around a recently read line. */
  keep(line: number): void {
    const rows = Array.from({ length: remembered }, (_, at) => this.#read(at));
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

  /** Returns one of the remembered rows, the oldest being 0. */
  #read(number: number): PricedRow {
    const at = (this.#next + number * width) % this.#recent.length;
    const [line = 0, start = 0, open = 0, high = 0, low = 0, close = 0, avg = 0] = this.#recent.subarray(at);
    return { line, start, open, high, low, close, avg };
  }

  /** Adds a row whose prices can be drawn. */
  #extend(window: RowWindow, row: PricedRow): void {
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
