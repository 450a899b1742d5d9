import type { ColumnRole } from './columns.ts';
import { IsoReader } from './iso-bytes.ts';
import { Cursor, isLineEnd } from './numbers.ts';
import { splitLine } from './split-line.ts';
import type { TableForm } from './table-form.ts';
import { emptyRow, fillNumbers, type TableRow } from './table-row.ts';
import { secondsOf, timeIn } from './times.ts';
import { quoted, UnreadableTable, unclosedQuotation } from './unreadable-table.ts';

/** What the loop over the cells of a line does with each: a small number, since it is looked at for every cell. */
const codes: Readonly<Record<ColumnRole, number>> = {
  ...{ time: 1, open: 2, high: 3, low: 4, close: 5, average: 6, volume: 7, date: 8 },
};

const quotationMark = 34;

type CsvForm = Extract<TableForm, { kind: 'csv' }>;

/**
 * Reads the rows of whole lines of bytes. Plain cells are read as they lie there; a line with anything else in it,
 * such as a quotation mark, an exponent or a time in an unusual form, is read again as text.
 */
export class CsvRows {
  readonly #form: CsvForm;
  readonly #codes: Uint8Array;
  readonly #last: number;
  readonly #separator: number;
  readonly #keepsText: boolean;
  readonly #cursor = new Cursor();
  readonly #iso = new IsoReader();
  readonly #row = emptyRow();
  readonly #decoder = new TextDecoder();
  readonly #isPlain: boolean;
  /** Where the next quotation mark stands in the bytes that were searched. */
  #quoteAt = -1;
  #searched: Uint8Array | undefined;

  constructor(form: CsvForm, keepsText: boolean) {
    this.#form = form;
    this.#keepsText = keepsText;
    this.#separator = form.separator.charCodeAt(0);
    this.#last = Math.max(...Object.values(form.places));
    this.#codes = new Uint8Array(this.#last + 1);
    for (const [role, at] of Object.entries(form.places))
      if (role !== 'date' || form.hasDateApart) this.#codes[at] = codes[role as ColumnRole];
    this.#isPlain = !form.hasDateApart;
  }

  /** Fills the row with the line at `from`; returns where the next line begins, with `row.start` NaN for an empty one. */
  read(bytes: Uint8Array, from: number, line: number): number {
    const row = this.#row;
    row.line = line;
    row.avg = Number.NaN;
    row.volume = Number.NaN;
    row.unread = undefined;
    this.#cursor.at = from;
    if (this.#isPlain && this.#readPlain(bytes, row)) {
      const { at } = this.#cursor;
      if (bytes[at] === 10) return at + 1;
      const next = bytes.indexOf(10, at) + 1;
      const isOver = bytes[at] !== 13 || at + 2 === next;
      if (isOver && !this.#hasQuote(bytes, at, next)) return next;
    }
    const end = bytes.indexOf(10, from);
    this.#readText(this.#decoder.decode(bytes.subarray(from, end)), row);
    return end + 1;
  }

  /** A cell behind the last one that is read may hold a line break, which only its quotation marks tell. */
  #hasQuote(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.#quoteAt < from || bytes !== this.#searched) {
      const at = bytes.indexOf(quotationMark, from);
      this.#quoteAt = at === -1 ? Number.POSITIVE_INFINITY : at;
      this.#searched = bytes;
    }
    return this.#quoteAt < to;
  }

  /** The row that was read last. */
  get row(): TableRow {
    return this.#row;
  }

  #readPlain(bytes: Uint8Array, row: TableRow): boolean {
    const cursor = this.#cursor;
    const separator = this.#separator;
    for (let column = 0; ; column++) {
      const begin = cursor.at;
      const code = this.#codes[column] as number;
      const value = code === 0 ? skip(bytes, cursor, separator) : this.#cell(bytes, code);
      if (Number.isNaN(value)) return false;
      if (code === 1) row.start = value;
      else if (code === 2) row.open = value;
      else if (code === 3) row.high = value;
      else if (code === 4) row.low = value;
      else if (code === 5) row.close = value;
      else if (code === 6) row.avg = value;
      else if (code === 7) this.#keepVolume(bytes, begin, value);
      if (column === this.#last) return true;
      if (bytes[cursor.at] !== separator) return false;
      cursor.at++;
    }
  }

  #cell(bytes: Uint8Array, code: number): number {
    const { unit } = this.#form;
    if (code !== 1) return this.#cursor.number(bytes, this.#separator);
    if (unit === 'iso') return this.#iso.read(bytes, this.#cursor, this.#separator);
    return secondsOf(this.#cursor.number(bytes, this.#separator), unit);
  }

  #keepVolume(bytes: Uint8Array, begin: number, value: number): void {
    this.#row.volume = value;
    if (this.#keepsText)
      this.#row.volumeText = String.fromCharCode(...bytes.subarray(begin, this.#cursor.at));
  }

  #readText(line: string, row: TableRow): void {
    const { separator, places, unit, hasDateApart } = this.#form;
    const text = line.trimEnd();
    row.start = Number.NaN;
    if (text === '' || isOnly(text, separator)) return;
    if (text.includes('\r'))
      throw new UnreadableTable(row.line, 'a carriage return within the line; end lines by line feeds');
    const cells = splitLine(text, separator)?.map((each) => each.trim());
    if (cells === undefined) throw unclosedQuotation(row.line);
    const cell = (at: number | undefined): string => (at === undefined ? '' : (cells[at] ?? ''));
    const needed = Math.max(...needs.map((need) => places[need] ?? 0));
    if (cells.length <= needed)
      throw new UnreadableTable(
        row.line,
        `${cells.length} ${cells.length === 1 ? 'column' : 'columns'} where ${needed + 1} are needed: ${quoted(text)}; is the file cut off here?`,
      );
    const time = hasDateApart ? `${cell(places.date)} ${cell(places.time)}` : cell(places.time);
    row.start = timeIn(time, unit);
    if (Number.isNaN(row.start))
      throw new UnreadableTable(row.line, `${quoted(time)} is no time; mend the line or leave it out`);
    fillNumbers(row, places, cell);
  }
}

const needs = ['time', 'open', 'high', 'low', 'close'] as const;

/** Past a cell that nobody reads; NaN for one in quotation marks, which may hold a separator. */
function skip(bytes: Uint8Array, cursor: Cursor, separator: number): number {
  if (bytes[cursor.at] === quotationMark) return Number.NaN;
  let at = cursor.at;
  for (let code = bytes[at] as number; code !== separator && !isLineEnd(code); ) code = bytes[++at] as number;
  cursor.at = at;
  return 0;
}

/** Spreadsheets write empty lines with their separators. */
function isOnly(text: string, separator: string): boolean {
  return text.split(separator).every((each) => each.trim() === '');
}
