/** A time and four prices: lines of fewer words are no rows. */
const fewestCells = 5;

/** A cell between spaces; within quotation marks they do not separate. */
const spacedCell = /(?:"[^"]*"|[^ "])+/g;

/** A separator that takes precedence over spaces. */
const separator = /[,;\t|]/;

/** Two words, as in a line below the rows that tells their source. */
const words = /\p{L}{3,} +\p{L}{2,}/u;

/**
 * Finds columns that runs of spaces separate, as R's write.table and aligned text have them: each line has the same number
 * of cells, of which the header may lack one, and no other separator. Returns how to write a line with tabs instead.
 */
export function findSpacing(lines: readonly string[]): ((line: string) => string) | undefined {
  const filled = lines.map((line) => line.trim()).filter(Boolean);
  const [head, ...rows] = filled.map(listCells);
  const width = rows[0]?.length ?? 0;
  const isFit = width >= fewestCells && rows.every((cells) => cells.length === width);
  if (head === undefined || !isFit || (head.length !== width && head.length !== width - 1)) return undefined;
  if ([head, ...rows].flat().some((cell) => separator.test(cell.replaceAll(/"[^"]*"/g, ''))))
    return undefined;
  return (line) => {
    const cells = listCells(line);
    const areWords = words.test(line) && (cells.length < width || !/\d/.test(line));
    return areWords && line.trim() !== filled[0] ? line : cells.join('\t');
  };
}

/** Lists the cells of a line with their quotation marks; a line in which one is not closed is a single cell. */
function listCells(line: string): readonly string[] {
  const marks = line.split('"').length - 1;
  return marks % 2 === 0 ? (line.trim().match(spacedCell) ?? []) : [line];
}
