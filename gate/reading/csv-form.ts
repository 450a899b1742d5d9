import { columnsHint, findPlaces, listMissing, type Places } from './columns.ts';
import { parseNumber } from './numbers.ts';
import {
  mostColumns,
  quote,
  type TableChoice,
  type TableForm,
  UnreadableTable,
  unclosedQuoteError,
} from './table.ts';
import { guessUnit, parseTime } from './times.ts';

const separators = [',', ';', '\t', '|'];

/** Maximum number of lines above the header, such as the source of the table. */
const mostBefore = 5;

/** Determines the form of a CSV table from its first lines; undefined if they have no row. Throws UnreadableTable. */
export function readCsvForm(lines: readonly string[], choice: TableChoice): TableForm | undefined {
  const filled = lines.flatMap((text, at) => (text.trim() === '' ? [] : [{ text, line: at + 1 }]));
  const heads = filled.slice(0, mostBefore + 1).map((line) => readHead(line.text, line.line, choice));
  const at = heads.findIndex((head) => head !== undefined && listMissing(head.places).length === 0);
  const head = heads[at];
  if (filled.length === 0) return undefined;
  if (head === undefined) return refuse(heads.find(Boolean), choice);
  const row = head.isRow ? filled[at] : filled[at + 1];
  if (row === undefined) return undefined;
  return { ...makeForm(head, row, choice), firstRow: row.line };
}

type Head = {
  readonly line: number;
  readonly separator: string;
  readonly names: readonly string[];
  readonly places: Places<number>;
  /** True if columns were given in order and this line is already a row. */
  readonly isRow: boolean;
};

function readHead(text: string, line: number, { columns, unit }: TableChoice): Head | undefined {
  const separator = findSeparator(text);
  const names = splitLine(text, separator)?.map((cell) => cell.trim());
  if (names === undefined || names.length < 2) return undefined;
  if (names.length > mostColumns)
    throw new UnreadableTable(line, `more than ${mostColumns} columns; leave out what is no candle`);
  const places = findPlaces(names, columns);
  const time = names[places.date ?? places.time ?? 0] ?? '';
  // The price may be unreadable.
  const hasTime = !Number.isNaN(parseTime(time, unit ?? guessUnit(time)));
  const hasPrice = !Number.isNaN(parseNumber(names[places.open ?? 1] ?? ''));
  const isRow = columns !== undefined && 'inOrder' in columns && (hasTime || hasPrice);
  return { line, separator, names, places, isRow };
}

/** Returns the most frequent separator. */
function findSeparator(text: string): string {
  const counts = separators.map((separator) => text.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

function makeForm(head: Head, row: { text: string; line: number }, { unit }: TableChoice) {
  const { separator, places, names } = head;
  const cells = splitLine(row.text, separator)?.map((cell) => cell.trim());
  if (cells === undefined) throw unclosedQuoteError(row.line);
  const cell = (at: number | undefined): string => (at === undefined ? '' : (cells[at] ?? ''));
  const [date, time] = [cell(places.date), cell(places.time)];
  const hasDateApart = date !== '' && /^(\d\d?:\d\d.*|\d{6}|\d{4})$/.test(time);
  const whole = places.time === undefined && places.date !== undefined;
  const own = whole ? { ...places, time: places.date } : places;
  const text = hasDateApart ? `${date} ${time}` : cell(own.time);
  return {
    ...{ kind: 'csv' as const, separator, names: head.isRow ? [] : names, places: own, hasDateApart },
    unit: checkUnit(text, row.line, unit ?? guessUnit(text)),
  };
}

/** Throws UnreadableTable if the first time cannot be read. */
function checkUnit(text: string, line: number, unit: ReturnType<typeof guessUnit>) {
  if (Number.isNaN(parseTime(text, unit)))
    throw new UnreadableTable(
      line,
      `${quote(text)} is no time; name its column with --columns, or its unit with --unit`,
    );
  return unit;
}

function refuse(head: Head | undefined, { columns }: TableChoice): never {
  const missing = head ? listMissing(head.places) : ['time', 'open', 'high', 'low', 'close'];
  const names = head ? ` among ${quote(head.names.join(head.separator))}` : '';
  const mend = columns ? columnsHint : `name them with --columns: ${columnsHint}`;
  throw new UnreadableTable(head?.line ?? 1, `no column for ${missing.join(', ')}${names}; ${mend}`);
}

/** Splits a line into cells without their quotation marks; undefined if one is not closed. */
export function splitLine(line: string, separator: string): string[] | undefined {
  if (!line.includes('"')) return line.split(separator);
  const cells: string[] = [];
  for (let at = 0; ; ) {
    const { cell, end } = line[at] === '"' ? quotedCell(line, at) : plainCell(line, at, separator);
    if (end === -1) return undefined;
    cells.push(cell);
    const next = line.indexOf(separator, end);
    if (next === -1) return cells;
    at = next + 1;
  }
}

function plainCell(line: string, at: number, separator: string): { cell: string; end: number } {
  const next = line.indexOf(separator, at);
  const end = next === -1 ? line.length : next;
  return { cell: line.slice(at, end), end };
}

/** Reads a quoted cell. Two consecutive quotation marks stand for one. */
function quotedCell(line: string, at: number): { cell: string; end: number } {
  let end = line.indexOf('"', at + 1);
  while (end !== -1 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
  return { cell: end === -1 ? '' : line.slice(at + 1, end).replaceAll('""', '"'), end };
}
