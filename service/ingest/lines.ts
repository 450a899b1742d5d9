/** A line's number, from 1, and its text; no text where the line was too long to be kept. */
export type IngestLine = { readonly number: number; readonly text: string | undefined };

/** Bytes of UTF-8 that a line may have. */
export const LONGEST_LINE = 65_536;

/**
 * Cuts text into its lines that are not blank, one array for each chunk that ends any. Of a line that grows too
 * long nothing is kept but its number.
 */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<IngestLine[]> {
  const cutter = new LineCutter();
  for await (const chunk of chunks) yield cutter.cut(chunk);
  yield cutter.cut('\n');
}

class LineCutter {
  #number = 1;
  #begun = '';
  #tooLong = false;

  cut(chunk: string): IngestLine[] {
    const lines: IngestLine[] = [];
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      this.#grow(chunk, from, end);
      const line = this.#ended();
      if (line) lines.push(line);
      from = end + 1;
    }
    this.#grow(chunk, from, chunk.length);
    return lines;
  }

  #grow(chunk: string, from: number, to: number): void {
    if (this.#begun.length + to - from > LONGEST_LINE) this.#tooLong = true;
    this.#begun = this.#tooLong ? '' : this.#begun + chunk.slice(from, to);
  }

  #ended(): IngestLine | undefined {
    const number = this.#number++;
    const text = number === 1 ? this.#begun.replace(/^\ufeff/, '') : this.#begun;
    const tooLong = this.#tooLong || isLong(text);
    this.#begun = '';
    this.#tooLong = false;
    if (tooLong) return { number, text: undefined };
    return text.trim() === '' ? undefined : { number, text };
  }
}

/** No character takes more than three bytes a code unit, so most lines need not be measured. */
function isLong(text: string): boolean {
  return text.length * 3 > LONGEST_LINE && Buffer.byteLength(text) > LONGEST_LINE;
}
