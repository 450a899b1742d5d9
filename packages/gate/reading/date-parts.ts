import { areTimes } from '@candleproof/document/layout/infer-places';
import { bareName, findNamed } from '@candleproof/document/layout/role-names';
import { guessUnit, isCount } from '@candleproof/document/layout/written-times';
import type { ColumnChoice } from './columns.ts';
import { findSeparator, splitLine } from './split-line.ts';

/** Names of columns that hold a part of a date, and those of a time of day beside it, in letters and digits. */
const dateNames = [/^year$/, /^month$/, /^day$/];
const clockNames = [/^hours?$/, /^min(ute)?s?$/, /^sec(ond)?s?$/];

/** Lines among which the header is searched: a few of a source may be above it. */
const firstLines = 6;

/** Finds how to join a date whose year, month and day have a column each; undefined if there is none, or another time. */
export function findDateParts(
  lines: readonly string[],
  columns: ColumnChoice | undefined,
): ((line: string) => string) | undefined {
  const isChosen = columns && ('inOrder' in columns || columns.byName.time || columns.byName.date);
  if (isChosen) return undefined;
  const filled = lines.filter((line) => line.trim() !== '');
  for (const [at, head] of filled.slice(0, firstLines).entries()) {
    const separator = findSeparator(head);
    const names = splitLine(head, separator)?.map(bareName) ?? [];
    const date = dateNames.map((name) => names.findIndex((bare) => name.test(bare)));
    if (date.includes(-1)) continue;
    const rows = filled.slice(at + 1).map((line) => splitLine(line, separator) ?? []);
    const sample = (column: number): string[] => rows.map((row) => row[column]?.trim() ?? '');
    if (hasTime(names, date, sample)) return undefined;
    const places = [...date, ...findClockParts(names, sample)];
    const areDates = areTimes(rows.map((row) => joinParts(row, places) ?? ''));
    return areDates ? (line) => joinCellsOfDate(line, separator, places) : undefined;
  }
  return undefined;
}

/** Returns whether another column has the times of the rows: parts of a date beside it are facts about it. */
function hasTime(
  names: readonly string[],
  parts: readonly number[],
  sample: (at: number) => readonly string[],
): boolean {
  const named = [...findNamed(names, 'time'), ...findNamed(names, 'date')];
  return names.some((_, at) => {
    const isCounted = isCount(guessUnit(sample(at).filter(Boolean)) ?? 'dmy');
    return !parts.includes(at) && (named.includes(at) || !isCounted) && areTimes(sample(at));
  });
}

/** Lists the columns of the hour, then perhaps of the minute and the second. */
function findClockParts(names: readonly string[], sample: (at: number) => readonly string[]): number[] {
  const found = clockNames.map((name) => names.findIndex((bare) => name.test(bare)));
  const lacking = found.findIndex((at) => at === -1 || !sample(at).every((text) => /^\d{0,2}$/.test(text)));
  return lacking === -1 ? found : found.slice(0, lacking);
}

/** Writes the parts as `2021-05-27 09:30`, and their names as `Year-Month-Day Hour:Minute`; undefined if one is empty. */
function joinParts(cells: readonly string[], places: readonly number[]): string | undefined {
  const parts = places.map((at) => cells[at]?.trim() ?? '');
  if (parts.includes('')) return undefined;
  const [year, month, day, ...clock] = parts.map((part) => part.padStart(2, '0'));
  const date = `${year}-${month}-${day}`;
  if (clock.length === 0) return date;
  const isHourAlone = clock.length === 1 && /^\d/.test(clock[0] ?? '');
  return `${date} ${clock.join(':')}${isHourAlone ? ':00' : ''}`;
}

/** Writes the date of a line in the cell of its year, and leaves those of the other parts empty. */
function joinCellsOfDate(line: string, separator: string, places: readonly number[]): string {
  const cells = splitLine(line, separator);
  const date = cells && joinParts(cells, places);
  if (cells === undefined || date === undefined) return line;
  const written = cells.map((cell, at) => (places.includes(at) ? '' : quoteCell(cell, separator)));
  return written.with(places[0] ?? 0, date).join(separator);
}

function quoteCell(cell: string, separator: string): string {
  const isPlain = !cell.includes(separator) && !/["\n]/.test(cell);
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
