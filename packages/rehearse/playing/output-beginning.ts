import { StringDecoder } from 'node:string_decoder';

/** Characters of each stream that are kept: some thousand lines, which a report can hold. */
const mostKept = 65_536;

/**
 * Characters that are read beyond those, so that a secret that begins before the limit is found whole. A secret is searched
 * for by at most 1,024 characters, which a client may write with spaces between them.
 */
const overlap = 2048;

/** Keeps the beginning of a client's output, and returns it without secrets. */
export class OutputBeginning {
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #isCut = false;

  /** Adds a piece of the stream, which may begin or end within a character. */
  add(piece: Buffer): void {
    if (this.#isCut) return;
    this.#text += this.#decoder.write(piece);
    this.#isCut = this.#text.length > mostKept + overlap;
    if (this.#isCut) this.#text = this.#text.slice(0, mostKept + overlap);
  }

  /**
   * Returns the output after `redact`, cut to what is kept. A secret that the cut divides is not found, so that the last
   * characters are dropped even where markers, which are shorter than secrets, have left less than the limit.
   */
  redact(redact: (text: string) => string): string {
    const text = redact(this.#isCut ? this.#text : this.#text + this.#decoder.end());
    return text.slice(0, this.#isCut ? -overlap : undefined).slice(0, mostKept);
  }
}
