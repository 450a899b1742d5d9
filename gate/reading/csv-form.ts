import {
  type ColumnChoice,
  columnsHint,
  findPlaces,
  listMissing,
  type Places,
  symbolName,
} from './columns.ts';
import { parseNumber } from './numbers.ts';
import {
  chooseUnit,
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
  const filled = joinCells(lines).flatMap((text, at) => (text.trim() === '' ? [] : [{ text, line: at + 1 }]));
  const columns = choice.columns ?? guessOrder(filled.map(({ text }) => text));
  const chosen = columns ? { ...choice, columns } : choice;
  const heads = filled.slice(0, mostBefore + 1).map((line) => readHead(line.text, line.line, chosen));
  const at = heads.findIndex(
    (head) => head !== undefined && listMissing(head.places, choice.columns).length === 0,
  );
  const head = heads[at];
  if (filled.length === 0) return undefined;
  if (head === undefined) return refuse(heads.find(Boolean), choice);
  const rows = filled.slice(head.isRow ? at : at + 1);
  const [row] = rows;
  return row && { ...makeForm(head, rows, choice), firstRow: row.line };
}

/** Joins the lines of each quoted cell into the first, and leaves empty lines in place of the others. */
function joinCells(lines: readonly string[]): string[] {
  const joined = [...lines];
  for (let at = 0; at < lines.length; at++) {
    const separator = findSeparator(lines[at] ?? '');
    const span = (end: number): string => lines.slice(at, end).join('\n');
    if (splitLine(span(at + 1), separator)) continue;
    const rest = lines.slice(at + 1).findIndex((_, more) => splitLine(span(at + more + 2), separator));
    if (rest === -1) break;
    joined.splice(at, rest + 2, span(at + rest + 2), ...Array<string>(rest + 1).fill(''));
    at += rest + 1;
  }
  return joined;
}

/** Share of rows whose prices must agree with the usual order of columns. */
const leastAgreeing = 0.8;

/**
 * Returns the usual order of columns for rows without a header, as exchanges write them, if the first cell is a time and
 * the next four can be open, high, low and close.
 */
function guessOrder(lines: readonly string[]): ColumnChoice | undefined {
  const rows = lines.map((line) => splitLine(line, findSeparator(line)) ?? []);
  const [first = []] = rows;
  const hasDateApart = timeOfDay.test(first[1] ?? '');
  const at = hasDateApart ? 2 : 1;
  if (Number.isNaN(parseTime(first[0]?.trim() ?? '', guessUnit([first[0]?.trim() ?? '']) ?? 'dmy')))
    return undefined;
  const agreeing = rows.filter((row) => {
    const [open, high, low, close] = row.slice(at, at + 4).map((text) => parseNumber(text)) as [
      number,
      number,
      number,
      number,
    ];
    return high >= Math.max(open, close) && low <= Math.min(open, close);
  });
  if (agreeing.length < leastAgreeing * rows.length) return undefined;
  const hasVolume = !Number.isNaN(parseNumber(first[at + 4] ?? ''));
  return {
    inOrder: [
      ...(hasDateApart ? (['date', 'time'] as const) : (['time'] as const)),
      ...(['open', 'high', 'low', 'close'] as const),
      ...(hasVolume ? (['volume'] as const) : []),
    ],
  };
}

const timeOfDay = /^(\d\d?:\d\d.*|\d{6}|\d{4})$/;

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
  const hasTime = !Number.isNaN(parseTime(time, unit ?? guessUnit([time]) ?? 'dmy'));
  const hasPrice = !Number.isNaN(parseNumber(names[places.open ?? 1] ?? ''));
  const isRow = columns !== undefined && 'inOrder' in columns && (hasTime || hasPrice);
  return { line, separator, names, places, isRow };
}

/** Returns the most frequent separator. */
function findSeparator(text: string): string {
  const counts = separators.map((separator) => text.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

type Line = { readonly text: string; readonly line: number };

function makeForm(head: Head, rows: readonly Line[], { unit }: TableChoice) {
  const { separator, places, names } = head;
  const line = rows[0]?.line ?? 1;
  const cells = rows.flatMap(({ text }) => [splitLine(text, separator)?.map((cell) => cell.trim()) ?? []]);
  if (cells[0]?.length === 0) throw unclosedQuoteError(line);
  const cell = (row: readonly string[] | undefined, at = -1): string => row?.[at] ?? '';
  const hasDateApart = cell(cells[0], places.date) !== '' && timeOfDay.test(cell(cells[0], places.time));
  const whole = places.time === undefined && places.date !== undefined;
  const columns = whole ? { ...places, time: places.date } : places;
  const times = cells.map((row) =>
    hasDateApart ? `${cell(row, places.date)} ${cell(row, places.time)}` : cell(row, columns.time),
  );
  refuseMixture(head, cells, times);
  const prices = cells.flatMap((row) => [cell(row, places.open), cell(row, places.close)]);
  const hasDecimalComma = usesDecimalComma(prices, separator);
  return {
    ...{ kind: 'csv' as const, separator, names: head.isRow ? [] : names, places: columns },
    ...{ hasDateApart, hasDecimalComma, unit: chooseUnit(times, line, unit) },
  };
}

/** Refuses a table in which rows of one time have different symbols. */
function refuseMixture({ names, line }: Head, cells: readonly string[][], times: readonly string[]): void {
  const at = names.findIndex((name) => symbolName.test(name));
  const firsts = new Map<string, string>();
  for (const [row, time] of times.entries()) {
    const symbol = cells[row]?.[at];
    const first = firsts.get(time) ?? symbol;
    if (symbol === undefined || first === undefined) return;
    if (symbol !== first)
      throw new UnreadableTable(
        line,
        `column ${quote(names[at] ?? '')} mixes ${quote(first)} and ${quote(symbol)}; give a file of each`,
      );
    firsts.set(time, first);
  }
}

/**
 * Returns whether commas are decimal points in these prices: if one cannot separate thousands, or semicolons separate
 * the cells.
 */
function usesDecimalComma(prices: readonly string[], separator: string): boolean {
  const commas = prices.filter((price) => price.includes(','));
  if (commas.length === 0 || prices.some((price) => price.includes('.'))) return false;
  return separator === ';' || commas.some((price) => !/^[+-]?\d{1,3}(,\d{3})+$/.test(price));
}

function refuse(head: Head | undefined, { columns }: TableChoice): never {
  const missing = head ? listMissing(head.places, columns) : ['time', 'open', 'high', 'low', 'close'];
  const names = head ? ` among ${quote(head.names.join(head.separator))}` : '';
  const fix = columns ? columnsHint : `name them with --columns: ${columnsHint}`;
  throw new UnreadableTable(head?.line ?? 1, `no column for ${missing.join(', ')}${names}; ${fix}`);
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
    // Text behind a cell with line breaks shows that its quotation marks belong to different cells.
    if (cell.includes('\n') && /[^"\s]/.test(line.slice(end, next === -1 ? undefined : next)))
      return undefined;
    if (next === -1) return cells;
    at = next + 1;
  }
}

function plainCell(line: string, at: number, separator: string): { cell: string; end: number } {
  const next = line.indexOf(separator, at);
  const end = next === -1 ? line.length : next;
  return { cell: line.slice(at, end), end };
}

/** Reads a quoted cell. Two consecutive quotation marks mean one. */
function quotedCell(line: string, at: number): { cell: string; end: number } {
  let end = line.indexOf('"', at + 1);
  while (end !== -1 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
  return { cell: end === -1 ? '' : line.slice(at + 1, end).replaceAll('""', '"'), end };
}
