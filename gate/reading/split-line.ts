/** Cells of a line, quotation marks taken off; undefined where one is never closed. */
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

/** Two quotation marks in a row are one of the cell's own. */
function quotedCell(line: string, at: number): { cell: string; end: number } {
  let end = line.indexOf('"', at + 1);
  while (end !== -1 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
  return { cell: end === -1 ? '' : line.slice(at + 1, end).replaceAll('""', '"'), end };
}
