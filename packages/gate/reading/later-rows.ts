import { isRecord } from '@candleproof/document/layout/find-layout';
import { readJsonForm } from './json-rows.ts';
import { longestLine, type TableChoice } from './table.ts';
import { UnreadableTable } from './unreadable-table.ts';

const [quotationMark, backslash, openBracket, closeBracket, openBrace, closeBrace, space] = [
  34, 92, 91, 93, 123, 125, 32,
];

/** Levels of lists and objects in a row; deeper elements are no rows. */
const deepestRow = 3;

/** Members of a row without names: a time and four prices. */
const fewestCells = 5;

/** An open element that comes first in its array. */
type First = { readonly depth: number; readonly begin: number; readonly name: string; bytes: number[] };

/** Finds a second array of candles in the JSON after the first one; nothing is kept but the elements being read. */
export class LaterRows {
  readonly #choice: TableChoice;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #isFirst = false;
  #name = '';
  #at: number;
  #open: First[] = [];

  /** @param at the byte of the file that comes next */
  constructor(choice: TableChoice, at: number) {
    this.#choice = choice;
    this.#at = at;
  }

  /** Returns the byte at which a later array of candles begins, with the name before it; undefined for none so far. */
  find(bytes: Uint8Array): { readonly at: number; readonly name: string } | undefined {
    for (const code of bytes) {
      for (const first of this.#open) first.bytes.push(code);
      const found = this.#next(code);
      this.#at++;
      if (found) return { at: found.begin, name: found.name };
    }
    return undefined;
  }

  #next(code: number): First | undefined {
    if (this.#isText) this.#readText(code);
    else if (code === quotationMark) {
      this.#isText = true;
      this.#isFirst = false;
      this.#name = '';
    } else if (code === openBracket || code === openBrace) this.#begin(code);
    else if (code === closeBracket || code === closeBrace) return this.#end();
    else if (code > space) this.#isFirst = false;
    return undefined;
  }

  #readText(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === backslash) this.#isEscaped = true;
    else if (code === quotationMark) this.#isText = false;
    if (this.#isText && this.#name.length < 60) this.#name += String.fromCharCode(code);
  }

  #begin(code: number): void {
    this.#depth++;
    if (this.#isFirst)
      this.#open.push({ depth: this.#depth, begin: this.#at, name: this.#name, bytes: [code] });
    this.#isFirst = code === openBracket;
    this.#open = this.#open.filter(
      ({ depth, bytes }) => this.#depth - depth < deepestRow && bytes.length < longestLine,
    );
  }

  #end(): First | undefined {
    const closed = this.#open.at(-1)?.depth === this.#depth ? this.#open.pop() : undefined;
    this.#depth--;
    this.#isFirst = false;
    return closed && this.#isRow(closed) ? closed : undefined;
  }

  #isRow({ bytes }: First): boolean {
    try {
      const text = Buffer.from(bytes).toString('utf8');
      const row: unknown = JSON.parse(text);
      if (Array.isArray(row) && row.length < fewestCells) return false;
      if (this.#choice.columns === undefined) return isRecord(row);
      readJsonForm([text], 1, this.#choice, true);
      return true;
    } catch (error) {
      if (error instanceof UnreadableTable || error instanceof SyntaxError) return false;
      throw error;
    }
  }
}
