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
    const out = this.#out;
    let [length, at, depth, rows] = [0, 0, this.#depth, this.#rows];
    // One plain loop over local values, since every byte of a file passes here.
    for (; at < chunk.length && !this.#isOver; at++) {
      const code = chunk[at] as number;
      if (this.#isText) {
        out[length++] = code;
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === backslash) this.#isEscaped = true;
        else if (code === quotationMark) this.#isText = false;
      } else if (code === comma) {
        if (depth === 1) rows++;
        out[length++] = depth === 1 ? newline : comma;
      } else if (code === openBracket || code === openBrace) {
        if (depth++ > 0) out[length++] = code;
      } else if (code === closeBracket || code === closeBrace) {
        this.#isOver = --depth === 0;
        if (!this.#isOver) out[length++] = code;
      } else if (code === quotationMark) {
        this.#isText = true;
        out[length++] = code;
      } else out[length++] = code <= space ? space : code;
    }
    this.#depth = depth;
    this.#rows = rows;
    this.#at += at;
    if (this.#isOver) this.#refuseLater(chunk.subarray(at));
    return out.subarray(0, length);
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
}
