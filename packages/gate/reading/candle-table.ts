import { stamp } from '@candleproof/document/spec/interval';
import { readCsvForm } from './csv-form.ts';
import { CsvRows } from './csv-rows.ts';
import { JsonRows, readJsonForm } from './json-rows.ts';
import { refuseFormat } from './other-formats.ts';
import {
  isOfOtherUnit,
  longestLine,
  moveToUsualYears,
  rowsOnly,
  type TableChoice,
  type TableForm,
  type TableRow,
  unclosedQuoteError,
} from './table.ts';
import { UnclearForm, UnreadableTable } from './unreadable-table.ts';

/** Receives the rows of a table one by one. The row object is reused for the next. */
export type TakeRow = (row: TableRow) => void;

/** Number of lines from which the form of a table is determined. */
const firstLines = 64;

/** Most bytes that are searched for what decides an order: a date whose day is no month, or prices that move. */
const mostUnclear = 1 << 20;

const newline = Uint8Array.of(10);
const none = new Uint8Array(0);

/**
 * Reads a table from chunks of bytes of any size. Reads complete lines and keeps the rest for the next chunk, so that it
 * never holds more than a chunk and a line.
 */
export class CandleTable {
  form: TableForm | undefined;
  readonly #choice: TableChoice;
  readonly #keepsText: boolean;
  readonly #take: TakeRow;
  #rows: CsvRows | JsonRows | undefined;
  #buffer: Uint8Array = none;
  /** The incomplete line at the end of the last chunk. */
  #rest: Uint8Array = none;
  #line = 1;
  /** The time of the last row. */
  #before = Number.NaN;

  constructor(choice: TableChoice, keepsText: boolean, take: TakeRow) {
    this.#choice = choice;
    this.#keepsText = keepsText;
    this.#take = take;
  }

  /** Reads the lines that a chunk completes. Throws UnreadableTable. */
  feed(chunk: Uint8Array): void {
    if (this.#rows === undefined && this.#rest.length === 0) refuseFormat(chunk);
    const bytes = this.#join(chunk);
    const end = bytes.lastIndexOf(10) + 1;
    if (bytes.length - end > longestLine) this.#refuseLength(bytes, end);
    const isMuch = this.#rows !== undefined || bytes.length > longestLine || countLines(bytes) > firstLines;
    const isEnough = isMuch && this.#tryOpen(bytes, end);
    this.#rest = isEnough ? bytes.subarray(this.#readAll(bytes, end)) : bytes;
    if (isEnough && this.#rest.length > 2 * longestLine) throw unclosedQuoteError(this.#line);
  }

  /** Opens the table; returns false if more lines can show the order of its dates or values. */
  #tryOpen(bytes: Uint8Array, end: number): boolean {
    try {
      if (end > 0) this.#rows ??= this.#open(bytes, end, bytes.length > mostUnclear);
      return true;
    } catch (error) {
      if (!(error instanceof UnclearForm) || bytes.length > mostUnclear) throw error;
      return false;
    }
  }

  /** Reads the last line, which may lack a line end. */
  end(): void {
    const bytes = this.#join(newline);
    this.#rest = none;
    if (this.#readAll(bytes, bytes.length) < bytes.length) throw unclosedQuoteError(this.#line);
  }

  /** Reads the lines up to `end`. Returns the position of the first unread one, whose cell is not closed yet. */
  #readAll(bytes: Uint8Array, end: number): number {
    if (end === 0) return end;
    this.#rows ??= this.#open(bytes, end, true);
    if (this.#rows === undefined) return end;
    const rows = this.#rows;
    const first = this.form?.firstRow ?? 1;
    let at = hasMark(bytes) && this.#line === 1 ? 3 : 0;
    while (at < end) {
      const isBefore = this.#line < first;
      const next = isBefore ? bytes.indexOf(10, at) + 1 : rows.read(bytes, at, this.#line);
      if (next === -1) return at;
      at = next;
      this.#line += isBefore ? 1 : rows.lines;
      if (!isBefore && !Number.isNaN(rows.row.start)) this.#pass(rows.row);
    }
    return at;
  }

  /** Passes a row on; one whose time only another unit makes a time of candles is unreadable there. */
  #pass(row: TableRow): void {
    const unit = this.form?.unit;
    if (
      unit !== undefined &&
      this.#choice.unit === undefined &&
      isOfOtherUnit(row.start, this.#before, unit)
    ) {
      row.unread = { column: 'time', text: `${stamp(row.start)} in ${unit}` };
      row.start = moveToUsualYears(row.start);
    }
    this.#before = row.start;
    this.#take(row);
  }

  /** Joins the rest and the chunk in a reused buffer, as new ones would pile up until garbage collection. */
  #join(chunk: Uint8Array): Uint8Array {
    const rest = this.#rest;
    const length = rest.length + chunk.length;
    if (length > this.#buffer.length) this.#buffer = new Uint8Array(2 * length);
    this.#buffer.set(rest);
    this.#buffer.set(chunk, rest.length);
    return this.#buffer.subarray(0, length);
  }

  /** Opens the table by its first lines, or by all that are there if those leave an order open. */
  #open(bytes: Uint8Array, end: number, isLast: boolean): CsvRows | JsonRows | undefined {
    const text = new TextDecoder().decode(bytes.subarray(0, end));
    try {
      return this.#openBy(text.split(/\r?\n/, firstLines), false);
    } catch (error) {
      if (!(error instanceof UnclearForm)) throw error;
      return this.#openBy(text.split(/\r?\n/), isLast);
    }
  }

  #openBy(lines: readonly string[], areAll: boolean): CsvRows | JsonRows | undefined {
    const at = lines.findIndex((line) => line.trim() !== '');
    if (at !== -1 && /^[[{]/.test(lines[at]?.trim() ?? '')) {
      const texts = lines.slice(at, -1).map((line) => line.trim());
      const form = readJsonForm(texts.filter(Boolean), at + 1, this.#choice, areAll);
      this.form = form;
      return new JsonRows(form, this.#keepsText);
    }
    const form = readCsvForm(lines, this.#choice, areAll);
    this.form = form;
    return form?.kind === 'csv' ? new CsvRows(form, this.#keepsText) : undefined;
  }

  #refuseLength(bytes: Uint8Array, end: number): never {
    const line = this.#line + countLines(bytes.subarray(0, end));
    throw new UnreadableTable(line, `longer than ${longestLine} bytes, and no row; ${rowsOnly}`);
  }
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

/** Returns whether the bytes start with a UTF-8 byte order mark. */
function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
