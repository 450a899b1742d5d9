/** A table that cannot be read as candles: its file, the line, the reason and the mend in one line. */
export class UnreadableTable extends Error {
  override readonly name = 'UnreadableTable';
  readonly #text: string;

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.#text = this.message;
  }

  /** The same with the file's name before it. */
  within(file: string): UnreadableTable {
    this.message = `${file}: ${this.#text}`;
    return this;
  }
}

const longest = 40;

/** What a file holds, in few characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

export function unclosedQuotation(line: number): UnreadableTable {
  return new UnreadableTable(
    line,
    'a quotation mark that is not closed in its line; close it, or take line breaks out of the cells',
  );
}
