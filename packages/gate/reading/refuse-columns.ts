import { parseNumber } from '@candleproof/document/layout/written-numbers';
import { prices } from './columns.ts';
import { isLeftOut, quote } from './table.ts';
import { UnreadableTable } from './unreadable-table.ts';

/** Refuses a table in which rows of one time have different symbols. `line` is that of the names. */
export function refuseMixture(column: {
  readonly name: string;
  readonly symbols: readonly string[];
  readonly times: readonly string[];
  readonly line: number;
}): void {
  const { name, symbols, times, line } = column;
  const firsts = new Map<string, string>();
  for (const [row, time] of times.entries()) {
    const [symbol, first] = [symbols[row] ?? '', firsts.get(time) ?? symbols[row] ?? ''];
    if (symbol !== first)
      throw new UnreadableTable(
        line,
        `column ${quote(name)} mixes ${quote(first)} and ${quote(symbol)}; give a file of each`,
      );
    firsts.set(time, first);
  }
}

/** Fewest cells of words that show that a column is none of numbers, rather than damaged. */
const fewestWords = 8;

/**
 * Refuses a column of prices of which no cell of the first rows is a number. `name` is that of the column, and `line` that
 * of the first row.
 */
export function refuseWords(
  role: string,
  { name, texts, line }: { readonly name: string; readonly texts: readonly string[]; readonly line: number },
  hasDecimalComma = false,
): void {
  if (!prices.some((each) => each === role)) return;
  const filled = texts.filter((text) => !isLeftOut(text));
  const isNumber = (text: string): boolean => Number.isFinite(parseNumber(text, hasDecimalComma));
  if (filled.length < fewestWords || filled.some(isNumber)) return;
  throw new UnreadableTable(
    line,
    `${quote(filled[0] ?? '')} is no number, nor is any cell of ${role} below it, column ${quote(name)}; name another by --columns, or - to skip it`,
  );
}
