const separators = [',', ';', '\t', '|'];

/** Returns the most frequent separator. */
export function findSeparator(text: string): string {
  const counts = separators.map((separator) => text.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Joins the lines of each quoted cell into the first, and leaves empty lines in place of the others. */
export function joinCells(lines: readonly string[]): string[] {
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
