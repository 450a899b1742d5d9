/** A line that is one quoted cell; two quotation marks in it mean one. */
const quotedLine = /^\s*"((?:[^"]|"")*)"\s*$/;

/** Returns whether each line is one quoted cell in which the cells of a table stand, as some exporters write a whole row. */
export function areQuotedLines(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  return filled.length > 0 && filled.every((line) => quotedLine.test(line) && /[\t,;|]/.test(line));
}

/** Takes the quotation marks off such a line; another one stays as it is. */
export function unquoteLine(line: string): string {
  const [, cells] = quotedLine.exec(line) ?? [];
  return cells?.replaceAll('""', '"') ?? line;
}
