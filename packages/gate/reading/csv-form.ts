import { areTimes, timeOfDay } from '@candleproof/document/layout/infer-places';
import { symbolName } from '@candleproof/document/layout/role-names';
import { parseNumber, useDecimalComma } from '@candleproof/document/layout/written-numbers';
import { guessUnit, parseTime } from '@candleproof/document/layout/written-times';
import { median, Tally } from '@candleproof/law/reading/statistics';
import { noteUnused } from './column-notes.ts';
import {
  type ColumnChoice,
  type ColumnRole,
  columnsHint,
  findPlaces,
  guessPlaces,
  listInOrder,
  listMissing,
  type Places,
  prices,
} from './columns.ts';
import { findLineForm } from './line-form.ts';
import { refuseMixture, refuseWords } from './refuse-columns.ts';
import { findSeparator, joinCells, splitLine } from './split-line.ts';
import {
  chooseUnit,
  maxColumns,
  quote,
  type TableChoice,
  type TableForm,
  unclosedQuoteError,
} from './table.ts';
import { findApart, joinTime } from './time-apart.ts';
import { UnclearForm, UnreadableTable } from './unreadable-table.ts';

/** Maximum number of lines above the header, such as the source of the table. */
const mostBefore = 5;

type CsvForm = Extract<TableForm, { kind: 'csv' }>;

/**
 * Determines the form of a CSV table from its first lines, or from all that can be read for it; undefined if they have no
 * row. Throws UnreadableTable.
 */
export function readCsvForm(
  lines: readonly string[],
  choice: TableChoice,
  areAll: boolean,
): TableForm | undefined {
  const lineForm = findLineForm(lines, choice.columns);
  if (!lineForm) return readCellsForm(lines, choice, areAll);
  const form = readCellsForm(joinCells(lines).map(lineForm.rewrite), choice, areAll);
  return form && { ...form, lineForm };
}

function readCellsForm(lines: readonly string[], choice: TableChoice, areAll: boolean): CsvForm | undefined {
  const filled = joinCells(lines).flatMap((text, at) => (text.trim() === '' ? [] : [{ text, line: at + 1 }]));
  const guessed = choice.columns ? undefined : guessOrder(filled, areAll);
  const columns = choice.columns ?? guessed?.columns;
  const chosen = columns ? { ...choice, columns } : choice;
  const heads = filled.slice(0, mostBefore + 1).map((_, at) => readHead(filled.slice(at), chosen));
  const at = heads.findIndex(
    (head) => head !== undefined && listMissing(head.places, choice.columns).length === 0,
  );
  const head = heads[at];
  if (filled.length === 0) return undefined;
  if (head === undefined) {
    const underNames =
      columns || heads.some(namesPrice) ? undefined : guessUnderNames(filled.slice(1), areAll);
    const form = underNames && readCellsForm(lines, { ...choice, columns: underNames.columns }, areAll);
    if (!form) return refuse(heads.find(Boolean), choice);
    return { ...form, isByOrder: true, isByCustom: underNames.isByCustom };
  }
  const rows = filled.slice(at + head.lines);
  const [row] = rows;
  if (row === undefined) return undefined;
  const known = { isByOrder: guessed !== undefined, isByCustom: guessed?.isByCustom === true };
  return { ...makeForm(head, rows, choice), ...known, firstRow: row.line };
}

/** Cells of a first line that are numbers, from which it is a row rather than a header. */
const fewestNumbers = 4;

type GuessedOrder = { readonly columns: ColumnChoice; readonly isByCustom: boolean };

/** Returns the order of columns that rows without a header show. Throws UnreadableTable if they allow two. */
function guessOrder(lines: readonly Line[], areAll: boolean): GuessedOrder | undefined {
  const rows = lines.map(({ text }) => splitLine(text, findSeparator(text)) ?? []);
  const numbers = rows[0]?.filter((text) => !Number.isNaN(parseNumber(text))) ?? [];
  if (numbers.length < fewestNumbers) return undefined;
  const found = guessPlaces(rows, lines[0]?.line ?? 1, areAll);
  return found && { columns: { inOrder: listInOrder(found.places) }, isByCustom: found.isByCustom };
}

/** Ranges of a row, as many times the usual move of a close, from which four columns are of four things. */
const mostApart = 10;

/**
 * Returns the order that rows under names of no known language show; undefined for none, as under the names of different
 * currencies, which move less than they are apart.
 */
function guessUnderNames(lines: readonly Line[], areAll: boolean): GuessedOrder | undefined {
  try {
    const guessed = guessOrder(lines, areAll);
    const order = guessed && 'inOrder' in guessed.columns ? guessed.columns.inOrder : [];
    const rows = lines.map(({ text }) => splitLine(text, findSeparator(text)) ?? []);
    const [highs = [], lows = [], closes = []] = (['high', 'low', 'close'] as const).map((role) =>
      rows.map((row) => parseNumber(row[order.indexOf(role)] ?? '')),
    );
    const range = median(highs.map((high, at) => high / (lows[at] ?? 0) - 1).filter((size) => size > 0));
    const moves = closes.slice(1).map((close, at) => Math.abs(close / (closes[at] ?? 0) - 1));
    return range > mostApart * median(moves.filter((size) => size > 0)) ? undefined : guessed;
  } catch (error) {
    if (error instanceof UnclearForm && areAll) return undefined;
    throw error;
  }
}

/** Returns whether a name of a price is known: the names of some languages tell nothing, and their rows do. */
function namesPrice(head: Head | undefined): boolean {
  return prices.some((price) => head?.places[price] !== undefined);
}

type Head = {
  readonly line: number;
  readonly separator: string;
  readonly names: readonly string[];
  readonly places: Places<number>;
  /** The number of lines before the first row: none if columns were given in order and this line is already a row. */
  readonly lines: number;
};

/** Most lines under the names of columns that are no rows either, such as those of tickers. */
const mostUnder = 3;

function readHead([first, ...others]: readonly Line[], { columns, unit }: TableChoice): Head | undefined {
  if (!first) return undefined;
  const { text, line } = first;
  const separator = findSeparator(text);
  const split = (row: Line): string[] => splitLine(row.text, separator)?.map((cell) => cell.trim()) ?? [];
  const names = split(first);
  if (names.length < 2) return undefined;
  if (names.length > maxColumns)
    throw new UnreadableTable(line, `more than ${maxColumns} columns; leave out what is no candle`);
  const rows = others.map(split);
  const under = columns && 'inOrder' in columns ? 0 : rows.slice(0, mostUnder).findIndex(hasNumbers);
  const body = rows.slice(Math.max(0, under));
  const named = nameSurplus(names, body, line);
  const sample = (at: number): string[] => body.map((row) => row[at] ?? '');
  const places = findPlaces(
    named.map((name) => [name]),
    columns,
    unit === undefined ? sample : undefined,
  );
  refuseSymbols(named, rows.slice(0, Math.max(0, under)), places, line);
  const time = names[places.date ?? places.time ?? 0] ?? '';
  // The price may be unreadable.
  const hasTime = !Number.isNaN(parseTime(time, unit ?? guessUnit([time]) ?? 'dmy'));
  const hasPrice = !Number.isNaN(parseNumber(names[places.open ?? 1] ?? ''));
  const isRow = columns !== undefined && 'inOrder' in columns && (hasTime || hasPrice);
  return { line, separator, names: isRow ? [] : named, places, lines: isRow ? 0 : 1 + Math.max(0, under) };
}

/** Returns whether a line under a header can be a row: it has a number or a time. */
function hasNumbers(cells: readonly string[]): boolean {
  return cells.some((cell) => /\d/.test(cell) && (!Number.isNaN(parseNumber(cell)) || isDate(cell)));
}

function isDate(cell: string): boolean {
  return !Number.isNaN(parseTime(cell, guessUnit([cell]) ?? 'dmy'));
}

/**
 * Names the cell that every row has more than the header: a time of day behind its date, or a time before the others.
 * Throws UnreadableTable for any other.
 */
function nameSurplus(names: readonly string[], rows: readonly string[][], line: number): readonly string[] {
  const isLonger =
    rows.length > 0 && rows.every((row) => row.length === names.length + 1 && row.at(-1) !== '');
  if (!isLonger) return names;
  const [date] = findDates(rows);
  if (date !== undefined && rows.every((row) => timeOfDay.test(row[date + 1] ?? '')))
    return names.toSpliced(date, 1, 'date', 'time');
  if (agree(names, rows)) return names;
  if (date === 0) return ['time', ...names];
  if (rows.every((row, at) => Number(row[0]) - Number(rows[0]?.[0]) === at)) return ['', ...names];
  throw new UnreadableTable(
    line,
    `rows have a cell more than the header, ${names.length + 1}; name it there`,
  );
}

/** Returns whether the prices of most rows are possible under the names above them. */
function agree(names: readonly string[], rows: readonly string[][]): boolean {
  const { open = -1, high = -1, low = -1, close = -1 } = findPlaces(names.map((name) => [name]));
  const agreeing = rows.filter((row) => {
    const [o, h, l, c] = [open, high, low, close].map((at) => parseNumber(row[at] ?? '')) as [
      number,
      number,
      number,
      number,
    ];
    return h >= Math.max(o, c) && l <= Math.min(o, c);
  });
  return agreeing.length >= leastAgreeing * rows.length;
}

/** Share of rows whose prices must be possible where their names are. */
const leastAgreeing = 0.8;

function findDates(rows: readonly string[][]): number[] {
  const width = rows[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? ''));
  return columns.flatMap((column, at) => (areTimes(column) ? [at] : []));
}

/** Refuses columns of one name for several symbols, as lines under the names tell. */
function refuseSymbols(
  names: readonly string[],
  under: readonly string[][],
  places: Places<number>,
  line: number,
): void {
  const name = names[places.open ?? -1];
  const alike = names.flatMap((other, at) => (other === name ? [at] : []));
  for (const cells of under) {
    const symbols = [...new Set(alike.map((at) => cells[at] ?? ''))];
    if (symbols.length < 2) continue;
    throw new UnreadableTable(
      line,
      `columns of ${symbols.slice(0, 2).map(quote).join(' and ')}; give a file of each`,
    );
  }
}

type Line = { readonly text: string; readonly line: number };

function makeForm(head: Head, rows: readonly Line[], { unit }: TableChoice) {
  const { separator, places, names } = head;
  const line = rows[0]?.line ?? 1;
  const cells = rows.flatMap(({ text }) => [splitLine(text, separator)?.map((cell) => cell.trim()) ?? []]);
  if (cells[0]?.length === 0) throw unclosedQuoteError(line);
  const cell = (row: readonly string[] | undefined, at = -1): string => row?.[at] ?? '';
  const taken = Object.values(places);
  const others = (cells[0] ?? []).flatMap((_, at) =>
    taken.includes(at) ? [] : [{ place: at, name: names[at] ?? '' }],
  );
  const apart = findApart(places, others, (at) => cells.map((row) => cell(row, at)));
  const hasDateApart = apart !== undefined;
  const time = apart?.time ?? places.time ?? places.date;
  const columns = time === undefined ? places : { ...places, time };
  const times = cells.map((row) =>
    apart ? joinTime(cell(row, places.date), cell(row, apart.time), apart.clock) : cell(row, columns.time),
  );
  const symbolAt = names.findIndex((name) => symbolName.test(name));
  const symbols = cells.map((row) => cell(row, symbolAt));
  refuseMixture({ name: names[symbolAt] ?? '', symbols, times, line: head.line });
  const written = cells.flatMap((row) => prices.map((role) => cell(row, places[role])));
  const hasDecimalComma = useDecimalComma(written, separator === ';');
  const used = Object.values(columns);
  const unused = names.flatMap((name, at) =>
    used.includes(at) ? [] : [{ name: [name], texts: cells.map((row) => cell(row, at)) }],
  );
  const form = {
    ...{ notes: noteUnused(unused), kind: 'csv' as const, separator, names, places: columns },
    ...{ width: Math.max(names.length, commonest(cells.map((row) => row.length))) },
    ...(apart?.clock && { clock: apart.clock }),
    ...{ hasDateApart, hasDecimalComma, unit: chooseUnit(times, line, unit) },
  };
  for (const [role, at] of Object.entries(columns))
    refuseWords(
      role,
      { name: names[at] || String(at + 1), texts: cells.map((row) => cell(row, at)), line },
      hasDecimalComma,
    );
  return form;
}

function commonest(counts: readonly number[]): number {
  const tally = new Tally<number>();
  for (const count of counts) tally.add(count);
  return tally.commonest() ?? 0;
}

function refuse(head: Head | undefined, { columns }: TableChoice): never {
  if (head === undefined)
    throw new UnreadableTable(
      1,
      'no comma, semicolon, tab or bar separates columns, nor do spaces in the same number on each line; write a comma between them',
    );
  const missing = listMissing(head.places, columns);
  const byName = columns && 'byName' in columns ? columns.byName : {};
  const misnamed = missing.flatMap((role) => byName[role as ColumnRole] ?? []);
  const names = ` among ${quote(head.names.join(head.separator))}`;
  const fix = columns ? columnsHint : `name them with --columns: ${columnsHint}`;
  if (misnamed.length > 0)
    throw new UnreadableTable(
      head.line,
      `--columns: no column is called ${misnamed.map(quote).join(' or ')}${names}; give a name that stands there, or a number from 1`,
    );
  throw new UnreadableTable(head.line, `no column for ${missing.join(', ')}${names}; ${fix}`);
}
