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

/**
 * Formats a value as a table cell: text and numbers as they are, null as nothing, a list or an object, which may be
 * deep, by its brackets.
 */
function formatCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim();
  return typeof value === 'object' ? (Array.isArray(value) ? '[…]' : '{…}') : String(value);
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
