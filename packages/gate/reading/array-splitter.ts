import { LaterRows } from './later-rows.ts';
import { quote, type TableChoice } from './table.ts';
import { UnreadableTable } from './unreadable-table.ts';

const newline = 10;
const [space, quotationMark, comma] = [32, 34, 44];
const [openBracket, backslash, closeBracket] = [91, 92, 93];
const [openBrace, closeBrace] = [123, 125];

type Place = { readonly at: number; readonly name: string };

/** Splits the bytes of an array into lines; refuses another array of candles after it, and ignores anything else. */
export class ArraySplitter {
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
