import type { ClockForm } from '@candleproof/document/layout/clock-numbers';
import type { ValueName } from '@candleproof/document/layout/name-places';
import {
  findCurrency,
  hasDecimalPoint,
  isDecimal,
  parseNumber,
  writePlainly,
} from '@candleproof/document/layout/written-numbers';
import { guessUnit, isCount, parseTime, type TableUnit } from '@candleproof/document/layout/written-times';
import { day, minute, stamp } from '@candleproof/document/spec/interval';
import { median } from '@candleproof/law/reading/statistics';
import { type ColumnChoice, type ColumnRole, type Places, prices } from './columns.ts';
import type { LineForm } from './line-form.ts';
import { UnclearForm, UnreadableTable } from './unreadable-table.ts';

/** A cell of a used column that is not a finite number. */
export type UnreadCell = { readonly column: ColumnRole; readonly text: string };

/**
 * One row of a table. The object is reused for the next row, so callers must copy it to keep it. Missing values are NaN,
 * and comparisons with NaN never report a breach.
 */
export type TableRow = {
  /** Line in the file, from 1. */
  line: number;
  /** Unix seconds. */
  start: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** NaN if the table has none. */
  avg: number;
  volume: number;
  /** The volume in the currency of the prices, and the number of trades; NaN if there is none. */
  quote: number;
  trades: number;
  /** The volume, or the turnover in a table without volumes, as written; empty unless a roll-up needs it. */
  volumeText: string;
  /** The first unreadable cell; undefined for a row without prices. */
  unread: UnreadCell | undefined;
  /** True if the row's prices do not contradict one another. */
  isSound: boolean;
  /** The currency beside the first price that has one. */
  currency?: string;
};

/** Returns a row without values. */
export function emptyRow(): TableRow {
  const none = Number.NaN;
  return {
    ...{ line: 0, start: none, open: none, high: none, low: none, close: none },
    ...{
      avg: none,
      volume: none,
      quote: none,
      trades: none,
      volumeText: '',
      unread: undefined,
      isSound: true,
    },
  };
}

/** Returns whether all four prices are missing, as in an interval without a trade. */
export function isBlank({ open, high, low, close, unread }: TableRow): boolean {
  if (unread !== undefined) return false;
  return Number.isNaN(open) && Number.isNaN(high) && Number.isNaN(low) && Number.isNaN(close);
}

const amounts = ['average', 'volume'] as const;

/** Fills the row with numbers from the cells of a line: finite numbers, or trimmed text. */
export function fillNumbers<Place>(
  row: TableRow,
  places: Places<Place>,
  cell: (place: Place) => string | number,
  hasDecimalComma = false,
): void {
  const read = (role: ColumnRole): string | number => {
    const place = places[role];
    return place === undefined ? '' : cell(place);
  };
  const isBlankLine = prices.every((role) => isNothing(read(role)));
  row.unread = undefined;
  for (const role of [...prices, ...amounts]) {
    const found = read(role);
    row[role === 'average' ? 'avg' : role] = readNumber(found, hasDecimalComma);
    if (typeof found === 'string') checkText(row, role, found, { isBlankLine, hasDecimalComma });
  }
  row.quote = readNumber(read('quote-volume'), hasDecimalComma);
  row.trades = readNumber(read('trades'), hasDecimalComma);
  const volume = read(findAmount(places));
  // A JSON number is a double, even if its digits do not show it.
  if (typeof volume === 'number') row.volumeText = volume.toExponential();
  else row.volumeText = hasDecimalComma ? writePlainly(volume, true) : volume;
}

/** Returns the role whose text a roll-up sums: a turnover shows as well as a volume what was traded. */
export function findAmount(places: Places<unknown>): 'volume' | 'quote-volume' {
  return places.volume === undefined && places['quote-volume'] !== undefined ? 'quote-volume' : 'volume';
}

function readNumber(cell: string | number, hasDecimalComma: boolean): number {
  return typeof cell === 'number' ? cell : parseNumber(cell, hasDecimalComma);
}

function isNothing(cell: string | number): boolean {
  return typeof cell === 'string' && (isLeftOut(cell) || isEvent(cell));
}

type LineFacts = { readonly isBlankLine: boolean; readonly hasDecimalComma: boolean };

/** Notes a text that is no number where one is needed. */
function checkText(
  row: TableRow,
  role: (typeof prices | typeof amounts)[number],
  text: string,
  { isBlankLine, hasDecimalComma }: LineFacts,
): void {
  const mayLack = isBlankLine ? isNothing(text) : noValue.test(text) && !isPrice(role);
  if (!Number.isFinite(row[role === 'average' ? 'avg' : role]) && !mayLack)
    row.unread ??= { column: role, text };
  if (!isPrice(role)) return;
  if (!isDecimal(text)) checkCurrency(row, role, text);
  if (hasDecimalComma && hasDecimalPoint(text))
    row.unread ??= { column: role, text: `${text}, after decimal commas` };
}

function isPrice(role: ColumnRole): boolean {
  return prices.some((price) => price === role);
}

/** Words and signs for no value. */
const noValue = /^(|-+|\.|null|none|nil|n\/?a|#n\/a|\\n)$/i;

/** Returns whether a cell is empty or NaN, as programs write for intervals without a trade. */
export function isLeftOut(text: string): boolean {
  return noValue.test(text) || /^nan$/i.test(text);
}

/** Returns whether a cell tells of a dividend or a split, as lines among the rows of web pages do. */
export function isEvent(text: string): boolean {
  return /\b(dividend|split)s?\b/i.test(text);
}

/** Makes a price unreadable that is in another currency than those before it. */
function checkCurrency(row: TableRow, column: ColumnRole, text: string): void {
  const currency = findCurrency(text);
  if (currency === '') return;
  row.currency ??= currency;
  if (row.currency !== currency) row.unread ??= { column, text: `${text}, after prices in ${row.currency}` };
}

/** The caller's description of a table. Omitted parts are guessed from its first lines. */
export type TableChoice = {
  readonly columns?: ColumnChoice;
  readonly unit?: TableUnit;
};

/** The form of a table, known after its first row. */
export type TableForm =
  | {
      readonly kind: 'csv';
      readonly separator: string;
      readonly places: Places<number>;
      /** Column names, if the table has them. */
      readonly names: readonly string[];
      readonly unit: TableUnit;
      /** True if a comma in a number is its decimal point, never a separator of thousands. */
      readonly hasDecimalComma: boolean;
      /** Number of columns of the header and the first rows. */
      readonly width: number;
      /** The form of lines that are rewritten before they are split. */
      readonly lineForm?: LineForm;
      /** True if date and time of day are in separate columns. */
      readonly hasDateApart: boolean;
      /** The form of the time of day in its column, if it is a number. */
      readonly clock?: ClockForm;
      /** True if the rows themselves showed the order of their values. */
      readonly isByOrder: boolean;
      /** True if the rows allow another order than theirs, which is the commonest. */
      readonly isByCustom: boolean;
      /** Columns that are not read although their names say that they could be, in sentences. */
      readonly notes: readonly string[];
      /** Line of the first row, from 1. */
      readonly firstRow: number;
    }
  | {
      readonly kind: 'ndjson';
      /** The members that lead to the value of each role. */
      readonly places: Places<ValueName>;
      readonly unit: TableUnit;
      readonly hasDateApart: boolean;
      readonly clock?: ClockForm;
      readonly isByOrder: boolean;
      readonly isByCustom: boolean;
      readonly notes: readonly string[];
      readonly firstRow: number;
    };

/** Maximum length of a line in bytes, and maximum number of columns. */
export const longestLine = 65536;
export const maxColumns = 1000;

const longest = 40;

/** Quotes text from a file, shortened. */
export function quote(text: string): string {
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** Returns the error for a cell that begins with a quotation mark and does not end. */
export function unclosedQuoteError(line: number): UnreadableTable {
  return new UnreadableTable(line, 'a quotation mark that is not closed; close it, or leave the line out');
}

/** The remedy for a file without rows. */
export const rowsOnly = 'give each row as a line of CSV or as an element of a JSON array';

/** 1990 and 2200: candles usually have times in between; and 1971, before which a count is a number of something else. */
const [early, late, earliestCount] = [631_152_000, 7_258_118_400, 31_536_000];

/**
 * Chooses the unit of the times of a table by the first of them. `texts` are the first times.
 * @throws UnreadableTable for an unreadable time, or for one that only another unit puts within the usual years
 */
export function chooseUnit(texts: readonly string[], line: number, given: TableUnit | undefined): TableUnit {
  const [text = ''] = texts;
  const guess = guessUnit(texts);
  const unit = given ?? guess;
  if (unit === undefined) throw new UnclearForm(line, askForOrder(text));
  const time = parseTime(text, unit);
  if (Number.isNaN(time))
    throw new UnreadableTable(
      line,
      `${quote(text)} is no time; name its column with --columns, or its unit with --unit`,
    );
  const other = guess === undefined ? time : parseTime(text, guess);
  const isOdd = time < early && other >= early && other < late;
  if (isOdd || time >= late)
    throw new UnreadableTable(
      line,
      `${quote(text)} in ${unit} is ${stamp(time)}${other === time ? '' : `, in ${guess} ${stamp(other)}`}; fix --unit`,
    );
  if (given === undefined && isCount(unit) && Math.abs(time) < earliestCount)
    throw new UnreadableTable(
      line,
      `${quote(text)} in ${unit} is ${stamp(time)}; name the column of the time with --columns, or its unit with --unit`,
    );
  refuseOtherCount(texts, unit, line);
  return unit;
}

/** Asks for the order of a date; one with a year of two digits may begin with it. */
function askForOrder(text: string): string {
  const mayBeYear = !Number.isNaN(parseTime(text, 'iso'));
  const firsts = mayBeYear
    ? 'its day, its month or its year first? Give --unit dmy, mdy or iso'
    : 'its day or its month first? Give --unit dmy or mdy';
  return `is ${quote(text)} ${firsts}`;
}

/** Latest time, 20 February 1970, that a count of seconds up to 2106 gives if it is taken for one of milliseconds. */
const latestMiscounted = 50 * day;

/** Refuses written times whose count was in another unit: all in the first weeks of 1970, fractions of a minute apart. */
function refuseOtherCount(texts: readonly string[], unit: TableUnit, line: number): void {
  const times = texts.map((text) => parseTime(text, unit)).filter((time) => !Number.isNaN(time));
  const isFirst = times.every((time) => time >= 0 && time < latestMiscounted);
  if (isCount(unit) || times.length < 2 || !isFirst) return;
  const steps = times.slice(1).map((time, at) => Math.abs(time - (times[at] as number)));
  const step = median(steps.filter((each) => each > 0));
  const factor = [1e3, 1e6].find(
    (by) => Math.min(...times) * by >= early && (step * by) % minute < 1e-3 * by,
  );
  if (factor === undefined || step % minute === 0) return;
  const [time = 0] = times;
  const units =
    factor === 1e3
      ? 'seconds were taken for ms, ms for us or us for ns'
      : 'seconds were taken for us, or ms for ns';
  throw new UnreadableTable(
    line,
    `${quote(texts[0] ?? '')}: all times lie in the first weeks of 1970, ${Number(step.toPrecision(3))} s apart; times ${factor === 1e3 ? '1,000' : '1,000,000'} they begin on ${stamp(time * factor).slice(0, 10)}, ${Math.round(step * factor)} s apart, as if ${units}; write them from their right unit`,
  );
}

/** Returns whether a time lies where only another unit than that of the rows before puts it; `before` is that of the last. */
export function isOfOtherUnit(start: number, before: number, unit: TableUnit): boolean {
  const isOdd = start >= late || Math.abs(start) < earliestCount;
  // Rows that come nearer to 1970 step by step are of its years.
  return isOdd && isCount(unit) && !(Math.abs(start - before) < earliestCount);
}

/** Returns the time that a count is in the unit that puts it into the usual years. */
export function moveToUsualYears(start: number): number {
  let moved = start;
  while (Math.abs(moved) >= late) moved /= 1000;
  while (moved !== 0 && Math.abs(moved) < earliestCount) moved *= 1000;
  return moved;
}
