import { LaterRows } from './later-rows.ts';
import { quote, type TableChoice, UnreadableTable } from './table.ts';

/** Bytes that determine the form of a document; no API response has more before its rows. */
const headBytes = 4096;

/** The start of an array of rows, or an empty one at the end of the document. */
const arrayOfRows = /\[\s*([[{]|\][\s}]*$)/;
const newline = 10;
const [space, quotationMark, comma] = [32, 34, 44];
const [openBracket, backslash, closeBracket] = [91, 92, 93];
const [openBrace, closeBrace] = [123, 125];

/**
 * Puts every element of a JSON array of rows on a separate line. The array may be inside an object, as in the answer of
 * an API. Other bytes pass unchanged.
 */
export class ArrayLines {
  /** True if each line is an element of an array, so that lines have other numbers in the file. */
  isArray = false;
  readonly #choice: TableChoice;
  #splitter: ArraySplitter | undefined;

  constructor(choice: TableChoice) {
    this.#choice = choice;
  }

  /** Splits the chunks. Throws UnreadableTable for an array that is not closed, or that another one follows. */
  async *split(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let head = new Uint8Array(0);
    let isKnown = false;
    for await (const chunk of chunks) {
      if (isKnown) yield this.#pass(chunk);
      else {
        head = new Uint8Array(Buffer.concat([head, chunk]));
        isKnown = head.length >= headBytes;
        if (isKnown) yield this.#open(head);
      }
    }
    if (!isKnown) yield this.#open(head);
    this.#splitter?.end();
  }

  #open(head: Uint8Array): Uint8Array {
    const text = Buffer.from(head.subarray(0, headBytes)).toString('latin1');
    const begin = /^(\xef\xbb\xbf)?\s*[[{]/.test(text) ? text.search(arrayOfRows) : -1;
    if (begin === -1) return head;
    this.isArray = true;
    const [, name] = /"([^"]*)"\s*:\s*$/.exec(text.slice(0, begin)) ?? [];
    this.#splitter = new ArraySplitter(this.#choice, { at: begin, name: name ?? '' });
    return this.#pass(head.subarray(begin));
  }

  #pass(chunk: Uint8Array): Uint8Array {
    return this.#splitter?.split(chunk) ?? chunk;
  }
}

type Place = { readonly at: number; readonly name: string };

/** Splits the bytes of an array into lines; refuses another array of candles after it, and ignores anything else. */
class ArraySplitter {
  readonly #choice: TableChoice;
  readonly #place: Place;
  #at: number;
  #later: LaterRows | undefined;
  #out = new Uint8Array(0);
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #isOver = false;
  #rows = 1;

  constructor(choice: TableChoice, place: Place) {
    this.#choice = choice;
    this.#place = place;
    this.#at = place.at;
  }

  split(chunk: Uint8Array): Uint8Array {
    if (chunk.length > this.#out.length) this.#out = new Uint8Array(chunk.length);
    let length = 0;
    let at = 0;
    for (; at < chunk.length && !this.#isOver; at++) {
      const code = this.#next(chunk[at] as number);
      if (code !== 0) this.#out[length++] = code;
    }
    this.#at += at;
    if (this.#isOver) this.#refuseLater(chunk.subarray(at));
    return this.#out.subarray(0, length);
  }

  /** Rows that nobody would judge must not look sound. */
  #refuseLater(rest: Uint8Array): void {
    this.#later ??= new LaterRows(this.#choice, this.#at);
    const found = this.#later.find(rest);
    if (!found) return;
    const [first, second] = [this.#place, found].map(
      ({ at, name }) => `at byte ${at}${name === '' ? '' : ` (${quote(name)})`}`,
    );
    throw new UnreadableTable(
      this.#rows,
      `the array ${first} ends here, and another array of rows begins ${second}; give each as a file of its own`,
    );
  }

  end(): void {
    if (!this.#isOver)
      throw new UnreadableTable(this.#rows, 'the array is not closed after it; is the file cut off here?');
  }

  /** Returns the byte to write for the next one, or 0. */
  #next(code: number): number {
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === backslash) this.#isEscaped = true;
      else if (code === quotationMark) this.#isText = false;
      return code;
    }
    if (code === quotationMark) this.#isText = true;
    else if (code === openBracket || code === openBrace) return this.#depth++ === 0 ? 0 : code;
    else if (code === closeBracket || code === closeBrace) {
      this.#isOver = --this.#depth === 0;
      return this.#isOver ? 0 : code;
    } else if (code <= space) return space;
    else if (code === comma && this.#depth === 1) {
      this.#rows++;
      return newline;
    }
    return code;
  }
}
