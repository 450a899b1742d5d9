import { findMember } from '@candleproof/document/layout/layout';
import type { ValueName } from '@candleproof/document/layout/name-places';
import { symbolName } from '@candleproof/document/layout/role-names';
import { parseTime } from '@candleproof/document/layout/written-times';
import { noteUnused } from './column-notes.ts';
import {
  type ColumnChoice,
  columnRoles,
  columnsHint,
  findPlaces,
  guessPlaces,
  listMissing,
  type Places,
} from './columns.ts';
import { PlainJson } from './plain-json.ts';
import { refuseMixture, refuseWords } from './refuse-columns.ts';
import type { TableChoice, TableForm } from './table.ts';
import { chooseUnit, emptyRow, fillNumbers, quote, rowsOnly, type TableRow } from './table.ts';
import { findApart, joinTime } from './time-apart.ts';
import { isUnitsAndNano, writeUnitsAndNano } from './units-and-nano.ts';
import { UnreadableTable } from './unreadable-table.ts';

type JsonForm = Extract<TableForm, { kind: 'ndjson' }>;
type Values = Readonly<Record<string | number, unknown>>;

/** Determines the form of JSON lines from the first ones, or from all that can be read for it. Throws UnreadableTable. */
export function readJsonForm(
  texts: readonly string[],
  line: number,
  choice: TableChoice,
  areAll: boolean,
): JsonForm {
  const [first = '', ...others] = texts;
  const values = parseValues(first, line);
  const rows = [values, ...others.flatMap(parseSample)];
  const { columns, unit } = choice;
  const { places, isByCustom } = Array.isArray(values)
    ? placesInLists(rows, line, choice, areAll)
    : { places: placesInObjects(rows, choice), isByCustom: false };
  const missing = listMissing(places, columns);
  if (missing.length > 0 && Array.isArray(values))
    throw new UnreadableTable(
      line,
      `the values of ${quote(first)} show no candle; give their order by gate --columns, such as time,open,high,low,close,volume with - for one to skip`,
    );
  if (missing.length > 0) {
    const fix = `if they are there, name them with gate --columns: ${columnsHint}`;
    throw new UnreadableTable(line, `no field for ${missing.join(', ')} in ${quote(first)}; ${fix}`);
  }
  const readAll = (place: ValueName): string[] => rows.map((each) => formatCell(findMember(each, place)));
  const apart = findApart(places, listOthers(values, places), readAll);
  const row = { ...places, time: apart?.time ?? places.time ?? places.date ?? [] };
  if (Array.isArray(findMember(values, row.time)))
    throw new UnreadableTable(line, `columns instead of rows; ${rowsOnly}`);
  const form = {
    ...{ kind: 'ndjson' as const, places: row, firstRow: line, hasDateApart: apart !== undefined },
    ...(apart?.clock && { clock: apart.clock }),
    ...{ isByOrder: Array.isArray(values) && columns === undefined, isByCustom },
  };
  const written = rows.map((each) => readTime(each, form));
  const symbol = Array.isArray(values)
    ? undefined
    : Object.keys(values).find((name) => symbolName.test(name));
  if (symbol !== undefined) refuseMixture({ name: symbol, symbols: readAll([symbol]), times: written, line });
  for (const [role, place] of Object.entries(row))
    refuseWords(role, { name: place.join('.'), texts: readAll(place), line });
  const unused = Array.isArray(values)
    ? []
    : listOthers(values, row).map(({ place }) => ({ name: place, texts: readAll(place) }));
  return { ...form, notes: noteUnused(unused), unit: chooseUnit(written, line, unit) };
}

/** Lists the values of a row that have no role, with the last of their names. */
function listOthers(values: Values, places: Places<ValueName>): { place: ValueName; name: string }[] {
  const taken = new Set(Object.values(places).map((place) => place.join('.')));
  return listNames(values).flatMap((place) =>
    taken.has(place.join('.')) ? [] : [{ place, name: place.at(-1) ?? '' }],
  );
}

/** Returns the time of a row as text, behind its date if that is apart. */
function readTime(values: Values, form: Pick<JsonForm, 'places' | 'hasDateApart' | 'clock'>): string {
  const { date = [], time = [] } = form.places;
  const text = formatCell(findMember(values, time));
  return form.hasDateApart ? joinTime(formatCell(findMember(values, date)), text, form.clock) : text;
}

/** Levels of objects in a row. */
const deepest = 3;

/** Lists the members that lead to each value of a row. */
function listNames(values: Values, depth = 1): ValueName[] {
  return Object.entries(values).flatMap(([name, value]): ValueName[] => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const isInner = isObject && depth < deepest && !isUnitsAndNano(value);
    const inner = isInner ? listNames(value as Values, depth + 1) : [];
    return inner.length > 0 ? inner.map((below) => [name, ...below]) : [[name]];
  });
}

function placesInObjects(rows: readonly Values[], { columns, unit }: TableChoice): Places<ValueName> {
  const names = listNames(rows[0] ?? {});
  const sample = (at: number): string[] => rows.map((row) => formatCell(findMember(row, names[at] ?? [])));
  const found = Object.entries(findPlaces(names, columns, unit === undefined ? sample : undefined));
  return Object.fromEntries(found.map(([role, at]) => [role, names[at] ?? [String(at)]]));
}

/** Finds the order of a list, which has no names, by its values unless the caller gives one. */
function placesInLists(
  rows: readonly Values[],
  line: number,
  { columns }: TableChoice,
  areAll: boolean,
): { places: Places<ValueName>; isByCustom: boolean } {
  const lists = rows.filter((row) => Array.isArray(row));
  const texts = (): string[][] => lists.map((row) => row.map(formatCell));
  const guessed = columns ? undefined : guessPlaces(texts(), line, areAll);
  const places = columns ? placesByChoice(lists[0]?.length ?? 0, columns) : (guessed?.places ?? {});
  const named = columnRoles.flatMap((role) =>
    places[role] === undefined ? [] : [[role, [String(places[role])]]],
  );
  return { places: Object.fromEntries(named), isByCustom: guessed?.isByCustom === true };
}

function placesByChoice(width: number, columns: ColumnChoice): Places<number> {
  return findPlaces(
    Array.from({ length: width }, () => ['']),
    columns,
  );
}

/** Reads rows from JSON lines. */
export class JsonRows {
  readonly row = emptyRow();
  /** Number of lines that a row takes. */
  readonly lines = 1;
  readonly #form: JsonForm;
  readonly #keepsText: boolean;
  readonly #decoder = new TextDecoder();
  /** Reads rows like the first one; undefined before it, and for a form that needs the parser. */
  #plain: PlainJson | undefined;
  #isOpen = false;

  constructor(form: JsonForm, keepsText: boolean) {
    this.#form = form;
    this.#keepsText = keepsText;
  }

  /** Reads the line at `from` into the row; `row.start` is NaN for an empty line. Returns the start of the next line. */
  read(bytes: Uint8Array, from: number, line: number): number {
    const end = bytes.indexOf(10, from);
    this.row.line = line;
    if (this.#plain?.read(bytes, from, this.row)) return end + 1;
    const text = this.#decoder.decode(bytes.subarray(from, end)).trim();
    this.row.start = Number.NaN;
    if (text !== '') this.#parse(text, line);
    return end + 1;
  }

  #parse(text: string, line: number): void {
    const values = parseValues(text, line);
    if (!this.#isOpen) this.#plain = PlainJson.open(this.#form, values, this.#keepsText);
    this.#isOpen = true;
    this.#fill(this.row, values);
  }

  #fill(row: TableRow, values: Values): void {
    const { places, unit } = this.#form;
    const time = readTime(values, this.#form);
    row.start = parseTime(time, unit);
    if (Number.isNaN(row.start)) {
      const reason =
        time === '' ? `no time in ${quote(JSON.stringify(values))}` : `${quote(time)} is no time`;
      throw new UnreadableTable(row.line, `${reason}; fix the line or leave it out`);
    }
    fillNumbers(row, places, (place) => {
      const value = findMember(values, place);
      return typeof value === 'number' && Number.isFinite(value) ? value : formatCell(value);
    });
  }
}

/**
 * Formats a value as a table cell: text and numbers as they are, null as nothing, units and billionths as one number, and
 * another list or object, which may be deep, by its brackets.
 */
function formatCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return '[…]';
  return isUnitsAndNano(value) ? writeUnitsAndNano(value) : '{…}';
}

function parseSample(text: string): Values[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? [value as Values] : [];
  } catch {
    // A line that is none is reported when its turn comes.
    return [];
  }
}

function parseValues(text: string, line: number): Values {
  const [values] = parseSample(text);
  if (values) return values;
  throw new UnreadableTable(line, `${quote(text)} is no line of JSON; fix the line or leave it out`);
}
