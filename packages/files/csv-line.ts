/** A text, which is made inert, or a value of ours; an empty cell is undefined. */
export type CsvCell = string | number | boolean | undefined;

/** Returns a line of CSV (RFC 4180) in which no text is a formula to a spreadsheet. */
export function csvLine(cells: readonly CsvCell[]): string {
  const texts = cells.map((cell) =>
    typeof cell === 'string' ? quoteCell(escapeFormula(cell)) : String(cell ?? ''),
  );
  return `${texts.join(',')}\r\n`;
}

/** A spreadsheet takes text that begins like this for a formula; an apostrophe makes it text again. */
function escapeFormula(text: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text) ? `'${text}` : text;
}

function quoteCell(text: string): string {
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
