import { missingIn, type Places, placesIn } from './columns.ts';
import { columnsForm } from './columns-flag.ts';
import { numberIn } from './numbers.ts';
import { splitLine } from './split-line.ts';
import { mostColumns, type TableChoice, type TableForm } from './table-form.ts';
import { guessUnit, timeIn } from './times.ts';
import { quoted, UnreadableTable, unclosedQuotation } from './unreadable-table.ts';

const separators = [',', ';', '\t', '|'];

/** Lines above the header that speak of something else, such as where the table comes from. */
const mostBefore = 5;

/** The form of a table of separated values by its first lines; undefined where they hold no row. */
export function csvFormOf(lines: readonly string[], choice: TableChoice): TableForm | undefined {
  const filled = lines.flatMap((text, at) => (text.trim() === '' ? [] : [{ text, line: at + 1 }]));
  const heads = filled.slice(0, mostBefore + 1).map((each) => headOf(each.text, each.line, choice));
  const at = heads.findIndex((head) => head !== undefined && missingIn(head.places).length === 0);
  const head = heads[at];
  if (filled.length === 0) return undefined;
  if (head === undefined) return refuse(heads.find(Boolean), choice);
  const row = head.isRow ? filled[at] : filled[at + 1];
  if (row === undefined) return undefined;
  return { ...formOf(head, row, choice), firstRow: row.line };
}

type Head = {
  readonly line: number;
  readonly separator: string;
  readonly names: readonly string[];
  readonly places: Places<number>;
  /** The columns were given in their order, and this line is a row already. */
  readonly isRow: boolean;
};

function headOf(text: string, line: number, { columns, unit }: TableChoice): Head | undefined {
  const separator = separatorIn(text);
  const names = splitLine(text, separator)?.map((each) => each.trim());
  if (names === undefined || names.length < 2) return undefined;
  if (names.length > mostColumns)
    throw new UnreadableTable(line, `more than ${mostColumns} columns; leave out what is no candle`);
  const places = placesIn(names, columns);
  const time = names[places.date ?? places.time ?? 0] ?? '';
  // A price may be what cannot be read.
  const hasTime = !Number.isNaN(timeIn(time, unit ?? guessUnit(time)));
  const hasPrice = !Number.isNaN(numberIn(names[places.open ?? 1] ?? ''));
  const isRow = columns !== undefined && 'inOrder' in columns && (hasTime || hasPrice);
  return { line, separator, names, places, isRow };
}

/** The one that comes most often. */
function separatorIn(text: string): string {
  const counts = separators.map((separator) => text.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

function formOf(head: Head, row: { text: string; line: number }, { unit }: TableChoice) {
  const { separator, places, names } = head;
  const cells = splitLine(row.text, separator)?.map((each) => each.trim());
  if (cells === undefined) throw unclosedQuotation(row.line);
  const cell = (at: number | undefined): string => (at === undefined ? '' : (cells[at] ?? ''));
  const [date, time] = [cell(places.date), cell(places.time)];
  const hasDateApart = date !== '' && /^(\d\d?:\d\d.*|\d{6}|\d{4})$/.test(time);
  const whole = places.time === undefined && places.date !== undefined;
  const own = whole ? { ...places, time: places.date } : places;
  const text = hasDateApart ? `${date} ${time}` : cell(own.time);
  return {
    ...{ kind: 'csv' as const, separator, names: head.isRow ? [] : names, places: own, hasDateApart },
    unit: checkedUnit(text, row.line, unit ?? guessUnit(text)),
  };
}

/** Where not even the first time is one, nothing below it is. */
function checkedUnit(text: string, line: number, unit: ReturnType<typeof guessUnit>) {
  if (Number.isNaN(timeIn(text, unit)))
    throw new UnreadableTable(
      line,
      `${quoted(text)} is no time; name its column with --columns, or its unit with --unit`,
    );
  return unit;
}

function refuse(head: Head | undefined, { columns }: TableChoice): never {
  const missing = head ? missingIn(head.places) : ['time', 'open', 'high', 'low', 'close'];
  const names = head ? ` among ${quoted(head.names.join(head.separator))}` : '';
  const mend = columns ? columnsForm : `name them with --columns: ${columnsForm}`;
  throw new UnreadableTable(head?.line ?? 1, `no column for ${missing.join(', ')}${names}; ${mend}`);
}
