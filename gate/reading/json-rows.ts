import { type ColumnChoice, columnsHint, findPlaces, listMissing, type Places } from './columns.ts';
import type { TableChoice, TableForm } from './table.ts';
import {
  chooseUnit,
  emptyRow,
  fillNumbers,
  quote,
  rowsOnly,
  type TableRow,
  UnreadableTable,
} from './table.ts';
import { parseTime } from './times.ts';

type JsonForm = Extract<TableForm, { kind: 'ndjson' }>;
type Values = Readonly<Record<string | number, unknown>>;

/** Determines the form of JSON lines from the first one. Throws UnreadableTable. */
export function readJsonForm(text: string, line: number, { columns, unit }: TableChoice): JsonForm {
  const values = parseValues(text, line);
  const places = Array.isArray(values) ? placesInList(values, columns) : placesInObject(values, columns);
  const missing = listMissing(places, columns);
  if (missing.length > 0) {
    const fix = `name them with --columns: ${columnsHint}`;
    throw new UnreadableTable(line, `no field for ${missing.join(', ')} in ${quote(text)}; ${fix}`);
  }
  const row = { ...places, time: places.time ?? places.date ?? 0 };
  if (Array.isArray(values[row.time]))
    throw new UnreadableTable(line, `columns instead of rows; ${rowsOnly}`);
  return {
    ...{ kind: 'ndjson', places: row, firstRow: line },
    unit: chooseUnit([formatCell(values[row.time])], line, unit),
  };
}

function placesInObject(values: Values, choice: ColumnChoice | undefined): Places<string | number> {
  const names = Object.keys(values);
  const found = Object.entries(findPlaces(names, choice));
  return Object.fromEntries(found.map(([role, at]) => [role, names[at] ?? String(at)]));
}

/** Uses the usual order for a list, which has no names, unless the caller gives another. */
function placesInList(values: readonly unknown[], choice: ColumnChoice | undefined): Places<string | number> {
  const usual = ['time', 'open', 'high', 'low', 'close', 'volume'];
  return findPlaces(choice ? values.map(() => '') : usual, choice);
}

/** Reads rows from JSON lines. */
export class JsonRows {
  readonly row = emptyRow();
  /** Number of lines that a row takes. */
  readonly lines = 1;
  readonly #form: JsonForm;
  readonly #decoder = new TextDecoder();

  constructor(form: JsonForm) {
    this.#form = form;
  }

  /** Reads the line at `from` into the row; `row.start` is NaN for an empty line. Returns the start of the next line. */
  read(bytes: Uint8Array, from: number, line: number): number {
    const end = bytes.indexOf(10, from);
    const text = this.#decoder.decode(bytes.subarray(from, end)).trim();
    this.row.line = line;
    this.row.start = Number.NaN;
    if (text !== '') this.#fill(this.row, parseValues(text, line));
    return end + 1;
  }

  #fill(row: TableRow, values: Values): void {
    const { places, unit } = this.#form;
    const time = formatCell(values[places.time ?? 0]);
    row.start = parseTime(time, unit);
    if (Number.isNaN(row.start))
      throw new UnreadableTable(row.line, `${quote(time)} is no time; fix the line or leave it out`);
    fillNumbers(row, places, (place) => formatCell(values[place]));
    // A JSON number is a double, even if its digits do not show it.
    if (typeof values[places.volume ?? ''] === 'number') row.volumeText = row.volume.toExponential();
  }
}

/** Formats a value as a table cell: text and numbers as they are, null as nothing, anything else as JSON. */
function formatCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

function parseValues(text: string, line: number): Values {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Values;
  } catch {
    // Reported below.
  }
  throw new UnreadableTable(line, `${quote(text)} is no line of JSON; fix the line or leave it out`);
}

/** Bytes that determine the form of a document; no API response has more before its rows. */
const headBytes = 4096;

/** The start of an array of rows, or an empty one at the end of the document. */
const arrayOfRows = /\[\s*([[{]|\][\s}]*$)/;
const newline = 10;
const [space, quotationMark, comma] = [32, 34, 44];
const [openBracket, backslash, closeBracket] = [91, 92, 93];
const [openBrace, closeBrace] = [123, 125];

/**
 * Puts every element of a JSON array of rows on a separate line. The array may be inside an object, as in the answer of
 * an API. Other bytes pass unchanged.
 */
export class ArrayLines {
  /** True if each line is an element of an array, so that lines have other numbers in the file. */
  isArray = false;
  #splitter: ArraySplitter | undefined;

  /** Splits the chunks. Throws UnreadableTable for an array that is not closed. */
  async *split(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let head = new Uint8Array(0);
    let isKnown = false;
    for await (const chunk of chunks) {
      if (isKnown) yield this.#pass(chunk);
      else {
        head = new Uint8Array(Buffer.concat([head, chunk]));
        isKnown = head.length >= headBytes;
        if (isKnown) yield this.#open(head);
      }
    }
    if (!isKnown) yield this.#open(head);
    this.#splitter?.end();
  }

  #open(head: Uint8Array): Uint8Array {
    const text = Buffer.from(head.subarray(0, headBytes)).toString('latin1');
    const begin = /^(\xef\xbb\xbf)?\s*[[{]/.test(text) ? text.search(arrayOfRows) : -1;
    if (begin === -1) return head;
    this.isArray = true;
    this.#splitter = new ArraySplitter();
    return this.#pass(head.subarray(begin));
  }

  #pass(chunk: Uint8Array): Uint8Array {
    return this.#splitter?.split(chunk) ?? chunk;
  }
}

/** Splits the bytes of an array into lines; ignores anything after the array. */
class ArraySplitter {
  #out = new Uint8Array(0);
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #isOver = false;
  #rows = 1;

  split(chunk: Uint8Array): Uint8Array {
    if (chunk.length > this.#out.length) this.#out = new Uint8Array(chunk.length);
    let length = 0;
    for (let at = 0; at < chunk.length && !this.#isOver; at++) {
      const code = this.#next(chunk[at] as number);
      if (code !== 0) this.#out[length++] = code;
    }
    return this.#out.subarray(0, length);
  }

  end(): void {
    if (!this.#isOver)
      throw new UnreadableTable(this.#rows, 'the array is not closed after it; is the file cut off here?');
  }

  /** Returns the byte to write for the next one, or 0. */
  #next(code: number): number {
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === backslash) this.#isEscaped = true;
      else if (code === quotationMark) this.#isText = false;
      return code;
    }
    if (code === quotationMark) this.#isText = true;
    else if (code === openBracket || code === openBrace) return this.#depth++ === 0 ? 0 : code;
    else if (code === closeBracket || code === closeBrace) {
      this.#isOver = --this.#depth === 0;
      return this.#isOver ? 0 : code;
    } else if (code <= space) return space;
    else if (code === comma && this.#depth === 1) {
      this.#rows++;
      return newline;
    }
    return code;
  }
}
