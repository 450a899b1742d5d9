import type { HeldBytes } from './held-bytes.ts';
import { UnreadableTable } from './unreadable-table.ts';

/** Bytes of lines that are passed on at once, and the most of one row. */
const [usual, longestRow] = [1 << 16, 1 << 20];

const [space, newline] = [32, 10];

/** Writes rows as lines of JSON, from pieces of a document that are copied and never parsed. */
export class RowLines {
  rows = 0;
  readonly #bytes: HeldBytes;
  readonly #out = Buffer.allocUnsafe(usual + longestRow + 1);
  #length = 0;
  #begin = 0;

  constructor(bytes: HeldBytes) {
    this.#bytes = bytes;
  }

  /** Appends a text to the row. Throws UnreadableTable for a row that is too long. */
  addText(text: Uint8Array): void {
    this.#reserve(text.length);
    this.#out.set(text, this.#length);
    this.#length += text.length;
  }

  /** Appends a piece of the document to the row, on one line. Throws UnreadableTable for a row that is too long. */
  addPiece(from: number, to: number): void {
    this.#reserve(to - from);
    for (let at = from; at < to; at++) {
      const code = this.#bytes.byte(at);
      this.#out[this.#length++] = code < space ? space : code;
    }
  }

  /** Ends the row, and returns the lines so far if they are enough to be passed on; they are valid until the next row. */
  endRow(): Uint8Array | undefined {
    this.rows++;
    this.#out[this.#length++] = newline;
    this.#begin = this.#length;
    return this.#length >= usual ? this.take() : undefined;
  }

  /** Returns the lines that were not passed on yet. */
  take(): Uint8Array {
    const lines = this.#out.subarray(0, this.#length);
    this.#length = this.#begin = 0;
    return lines;
  }

  #reserve(bytes: number): void {
    if (this.#length - this.#begin + bytes > longestRow)
      throw new UnreadableTable(this.rows + 1, `longer than ${longestRow} bytes, and no row`);
  }
}
