import type { ColumnChoice } from './columns.ts';
import { findDateParts } from './date-parts.ts';
import { areQuotedLines, unquoteLine } from './quoted-lines.ts';
import { findSpacing } from './spaced-lines.ts';
import { joinCells } from './split-line.ts';

/** The form of lines that are rewritten before they are split into cells. */
export type LineForm = {
  readonly rewrite: (line: string) => string;
  /** The separator of the file, if lines are rewritten with another. */
  readonly separator?: string;
};

/** Finds the form of first lines that are no plain CSV; undefined for lines to split as they are. */
export function findLineForm(
  lines: readonly string[],
  columns: ColumnChoice | undefined,
): LineForm | undefined {
  const form = findCells(lines);
  const joinDate = findDateParts(joinCells(form ? lines.map(form.rewrite) : lines), columns);
  if (joinDate === undefined) return form;
  return { ...form, rewrite: form ? (line) => joinDate(form.rewrite(line)) : joinDate };
}

function findCells(lines: readonly string[]): LineForm | undefined {
  if (areQuotedLines(lines)) return { rewrite: unquoteLine };
  const separateByTabs = findSpacing(lines);
  return separateByTabs && { rewrite: separateByTabs, separator: ' ' };
}
