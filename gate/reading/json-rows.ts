import { type ColumnChoice, missingIn, type Places, placesIn } from './columns.ts';
import { columnsForm } from './columns-flag.ts';
import type { TableChoice, TableForm } from './table-form.ts';
import { emptyRow, fillNumbers, type TableRow } from './table-row.ts';
import { guessUnit, timeIn } from './times.ts';
import { quoted, UnreadableTable } from './unreadable-table.ts';

type JsonForm = Extract<TableForm, { kind: 'ndjson' }>;
type Values = Readonly<Record<string | number, unknown>>;

/** The form of lines of JSON by the first of them. */
export function jsonFormOf(text: string, line: number, { columns, unit }: TableChoice): JsonForm {
  const values = valuesIn(text, line);
  const places = Array.isArray(values) ? placesInList(values, columns) : placesInObject(values, columns);
  const missing = missingIn(places);
  if (missing.length > 0) {
    const mend = `name them with --columns: ${columnsForm}`;
    throw new UnreadableTable(line, `no field for ${missing.join(', ')} in ${quoted(text)}; ${mend}`);
  }
  const own = { ...places, time: places.time ?? places.date ?? 0 };
  return {
    ...{ kind: 'ndjson', places: own, firstRow: line },
    unit: unit ?? guessUnit(String(values[own.time])),
  };
}

function placesInObject(values: Values, choice: ColumnChoice | undefined): Places<string | number> {
  const names = Object.keys(values);
  const found = Object.entries(placesIn(names, choice));
  return Object.fromEntries(found.map(([role, at]) => [role, names[at] ?? String(at)]));
}

/** A list has no names: the usual order, unless the caller gives another. */
function placesInList(values: readonly unknown[], choice: ColumnChoice | undefined): Places<string | number> {
  const usual = ['time', 'open', 'high', 'low', 'close', 'volume'];
  return placesIn(choice ? values.map(() => '') : usual, choice);
}

/** Reads the rows of lines of JSON, one value a line. */
export class JsonRows {
  readonly row = emptyRow();
  readonly #form: JsonForm;
  readonly #decoder = new TextDecoder();

  constructor(form: JsonForm) {
    this.#form = form;
  }

  /** Fills the row with the line at `from`; returns where the next line begins, with `row.start` NaN for an empty one. */
  read(bytes: Uint8Array, from: number, line: number): number {
    const end = bytes.indexOf(10, from);
    const text = this.#decoder.decode(bytes.subarray(from, end)).trim();
    this.row.line = line;
    this.row.start = Number.NaN;
    if (text !== '') this.#fill(this.row, valuesIn(text, line));
    return end + 1;
  }

  #fill(row: TableRow, values: Values): void {
    const { places, unit } = this.#form;
    const time = textOf(values[places.time ?? 0]);
    row.start = timeIn(time, unit);
    if (Number.isNaN(row.start))
      throw new UnreadableTable(row.line, `${quoted(time)} is no time; mend the line or leave it out`);
    fillNumbers(row, places, (place) => textOf(values[place]));
    // A JSON number is a double, which its digits do not say.
    if (typeof values[places.volume ?? ''] === 'number') row.volumeText = row.volume.toExponential();
  }
}

/** A value as a cell of a table has it: a number or text, nothing for null, and JSON for what is neither. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** A list of candles instead of one of them. */
function isNested(value: object): boolean {
  return Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null;
}

function valuesIn(text: string, line: number): Values {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !isNested(value)) return value as Values;
  } catch {
    // Said below.
  }
  const isDocument = /^\[\s*([[{].*)?$/.test(text);
  const mend = isDocument ? 'write one object a line: jq -c ".[]" does' : 'mend the line or leave it out';
  throw new UnreadableTable(line, `${quoted(text)} is no line of JSON; ${mend}`);
}
