import { parseNumber } from '@candleproof/document/layout/written-numbers';
import { isCount, parseTime, toSeconds } from '@candleproof/document/layout/written-times';
import type { ColumnRole } from './columns.ts';
import { IsoReader } from './iso-reader.ts';
import { Cursor, isLineEnd } from './numbers.ts';
import { codes, fillRow, makeValues } from './row-values.ts';
import { splitLine } from './split-line.ts';
import type { TableForm } from './table.ts';
import {
  emptyRow,
  fillNumbers,
  findAmount,
  isEvent,
  longestLine,
  quote,
  type TableRow,
  unclosedQuoteError,
} from './table.ts';
import { joinTime } from './time-apart.ts';
import { UnreadableTable } from './unreadable-table.ts';

const quotationMark = 34;

type CsvForm = Extract<TableForm, { kind: 'csv' }>;

/**
 * Reads rows from complete lines of bytes. Plain cells are read directly; a line with anything else, such as a quotation
 * mark, an exponent or an unusual time, is read again as text.
 */
export class CsvRows {
  readonly #form: CsvForm;
  readonly #codes: Uint8Array;
  readonly #values = makeValues();
  readonly #last: number;
  readonly #separator: number;
  readonly #cursor = new Cursor();
  readonly #iso = new IsoReader();
  readonly #row = emptyRow();
  readonly #decoder = new TextDecoder();
  readonly #isPlain: boolean;
  /** The code of the amount whose text is kept; -1 for none. */
  readonly #amount: number;
  /** True if the last column is used, so that a separator behind it shows a cell too many. */
  readonly #isFull: boolean;
  /** Number of lines that the last row took. */
  lines = 1;
  /** The error of a line of words, which is none if no row follows. */
  #footer: UnreadableTable | undefined;
  /** Position of the next quotation mark in the searched bytes. */
  #quoteAt = -1;
  #searched: Uint8Array | undefined;

  constructor(form: CsvForm, keepsText: boolean) {
    this.#form = form;
    this.#amount = keepsText ? codes[findAmount(form.places)] : -1;
    this.#separator = form.separator.charCodeAt(0);
    this.#last = Math.max(...Object.values(form.places));
    this.#codes = new Uint8Array(this.#last + 1);
    for (const [role, at] of Object.entries(form.places))
      if (role !== 'date' || form.hasDateApart) this.#codes[at] = codes[role as ColumnRole];
    const used = Object.entries(form.places).flatMap(([role, at]) => (role === 'date' ? [] : [at]));
    this.#isFull = this.#last === form.width - 1;
    const isOfPlainCells = !form.hasDateApart && !form.hasDecimalComma && !form.lineForm;
    this.#isPlain = isOfPlainCells && new Set(used).size === used.length;
  }

  /**
   * Reads the line at `from` into the row, and the next ones if a cell continues in them; `row.start` is NaN for an
   * empty line. Returns the start of the next line; -1 if a cell is not closed in the bytes.
   */
  read(bytes: Uint8Array, from: number, line: number): number {
    const row = this.#row;
    row.line = line;
    this.lines = 1;
    this.#cursor.at = from;
    if (this.#footer !== undefined && bytes[from] !== 10 && bytes[from] !== 13)
      this.#refuseFooter(bytes, from);
    if (this.#isPlain && this.#readPlain(bytes, row)) {
      const { at } = this.#cursor;
      if (bytes[at] === 10) return at + 1;
      const next = bytes.indexOf(10, at) + 1;
      const isOver =
        (bytes[at] !== 13 || at + 2 === next) && !(this.#isFull && bytes[at] === this.#separator);
      if (isOver && !this.#hasQuote(bytes, at, next)) return next;
    }
    let end = bytes.indexOf(10, from);
    while (!this.#readText(this.#decoder.decode(bytes.subarray(from, end)), row)) {
      const mark = bytes.indexOf(quotationMark, end);
      const next = mark === -1 ? -1 : bytes.indexOf(10, mark);
      if (next === -1) return -1;
      if (next - from > longestLine) throw unclosedQuoteError(line);
      while (end < next) {
        end = bytes.indexOf(10, end + 1);
        this.lines++;
      }
    }
    return end + 1;
  }

  /** Returns whether the range has a quotation mark: an unread cell at the end of a line may contain a line break. */
  #hasQuote(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.#quoteAt < from || bytes !== this.#searched) {
      const at = bytes.indexOf(quotationMark, from);
      this.#quoteAt = at === -1 ? Number.POSITIVE_INFINITY : at;
      this.#searched = bytes;
    }
    return this.#quoteAt < to;
  }

  /** The last row that was read. */
  get row(): TableRow {
    return this.#row;
  }

  #refuseFooter(bytes: Uint8Array, from: number): void {
    const text = this.#decoder.decode(bytes.subarray(from, bytes.indexOf(10, from)));
    if (this.#footer && !isSentence(text, this.#form.separator)) throw this.#footer;
  }

  #readPlain(bytes: Uint8Array, row: TableRow): boolean {
    const cursor = this.#cursor;
    const separator = this.#separator;
    const values = this.#values;
    const kept = this.#amount;
    for (let column = 0; ; column++) {
      const begin = cursor.at;
      const code = this.#codes[column] as number;
      const value = code === 0 ? skip(bytes, cursor, separator) : this.#cell(bytes, code);
      if (!Number.isNaN(value)) values[code] = value;
      else if (!(code > 8 && this.#readLoosely(bytes, code))) return false;
      if (code === kept) row.volumeText = readText(bytes, begin, cursor.at);
      if (column === this.#last) break;
      if (bytes[cursor.at] !== separator) return false;
      cursor.at++;
    }
    fillRow(row, values);
    return true;
  }

  /** Reads a number of many digits, or none; false if the cell has a quotation mark. */
  #readLoosely(bytes: Uint8Array, code: number): boolean {
    const begin = this.#cursor.at;
    if (Number.isNaN(skip(bytes, this.#cursor, this.#separator))) return false;
    this.#values[code] = parseNumber(readText(bytes, begin, this.#cursor.at));
    return true;
  }

  #cell(bytes: Uint8Array, code: number): number {
    const { unit } = this.#form;
    if (code !== 1) return this.#cursor.number(bytes, this.#separator);
    if (unit === 'iso') return this.#iso.read(bytes, this.#cursor, this.#separator);
    return isCount(unit) ? toSeconds(this.#cursor.number(bytes, this.#separator), unit) : Number.NaN;
  }

  /** Reads a row as text; false if a quotation mark is not closed in it. */
  #readText(line: string, row: TableRow): boolean {
    const { separator, names, places, unit, hasDateApart, clock, width, lineForm } = this.#form;
    const text = (lineForm ? lineForm.rewrite(line) : line).trimEnd();
    row.start = Number.NaN;
    if (text === '' || isOnly(text, separator)) return true;
    if (/\r(?!\n)/.test(text))
      throw new UnreadableTable(row.line, 'a carriage return within the line; end lines by line feeds');
    const cells = splitLine(text, separator)?.map((cell) => cell.trim());
    if (cells === undefined) return false;
    const cell = (at: number | undefined): string => (at === undefined ? '' : (cells[at] ?? ''));
    const needed = Math.max(...needs.map((need) => places[need] ?? 0));
    if (cells.length <= needed && !isEvent(cells.at(-1) ?? '')) {
      const error = new UnreadableTable(
        row.line,
        `${cells.length} ${cells.length === 1 ? 'column' : 'columns'} where ${needed + 1} are needed: ${quote(text)}; is the file cut off here?`,
      );
      if (!isSentence(text, separator)) throw error;
      this.#footer ??= error;
      return true;
    }
    if (cells.slice(width).some((more) => /\d/.test(more)))
      throw new UnreadableTable(
        row.line,
        `${cells.length} columns where ${width} are expected: ${quote(text)}; quote numbers that contain the separator`,
      );
    const time = hasDateApart ? joinTime(cell(places.date), cell(places.time), clock) : cell(places.time);
    row.start = parseTime(time, unit);
    if (Number.isNaN(row.start)) {
      const isHeader = names.length > 0 && names.every((name, at) => name === cells[at]);
      const reason = isHeader
        ? 'the header stands here again; leave the line out'
        : `${quote(time)} is no time; fix the line or leave it out`;
      throw new UnreadableTable(row.line, reason);
    }
    fillNumbers(row, places, cell, this.#form.hasDecimalComma);
    return true;
  }
}

const needs = ['time', 'open', 'high', 'low', 'close'] as const;

/** Skips an unused cell. Returns NaN for a quoted one, which may contain a separator. */
function skip(bytes: Uint8Array, cursor: Cursor, separator: number): number {
  if (bytes[cursor.at] === quotationMark) return Number.NaN;
  let at = cursor.at;
  for (let code = bytes[at] as number; code !== separator && !isLineEnd(code); ) code = bytes[++at] as number;
  cursor.at = at;
  return 0;
}

function readText(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

/** Returns whether a line is words, such as the source and time of a download, rather than cells of a row. */
function isSentence(text: string, separator: string): boolean {
  const cells = splitLine(text, separator) ?? [];
  const isCount = /^\s*\(\d+ rows?\)/.test(text);
  return (
    isCount ||
    /\p{L}{3,}\W+\p{L}{2,}/u.test(cells[0] ?? '') ||
    (text.trim() !== '' && isOnly(text, separator))
  );
}

/** Returns whether a line has only separators: spreadsheets write empty lines like that. */
function isOnly(text: string, separator: string): boolean {
  return text.split(separator).every((cell) => cell.trim() === '');
}
