import { HarError } from './har-node.ts';

/** A recording without its entries, as text, and the places of their bytes: each is parsed by itself. */
export type SplitRecording = {
  readonly rest: string;
  readonly entries: readonly (readonly [from: number, to: number])[];
};

/**
 * Most JSON values of one entry, or of all beside the entries, bodies being text: a parsed value takes up to a hundred
 * times the memory of its text.
 */
const mostValues = 1_000_000;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Finds the elements of `log.entries`. What is no JSON is split anywhere: then the rest or an entry is none either.
 * @throws HarError for a second list of entries, and for more values than any recorder writes
 */
export function splitEntries(bytes: Uint8Array, fileName: string): SplitRecording {
  return new Splitter(bytes, fileName).split();
}

class Splitter {
  readonly #bytes: Uint8Array;
  readonly #fileName: string;
  readonly #entries: [from: number, to: number][] = [];
  /** The names that lead to the place: the member of the file, and that of `log`. */
  readonly #path = ['', ''];
  #name: [from: number, to: number] = [0, 0];
  #depth = 0;
  #values = 0;
  #at = 0;
  /** The entries begin after this place, and end before the other. */
  #listFrom: number | undefined;
  #listTo: number | undefined;
  #elementFrom = 0;

  constructor(bytes: Uint8Array, fileName: string) {
    this.#bytes = bytes;
    this.#fileName = fileName;
  }

  split(): SplitRecording {
    for (; this.#at < this.#bytes.length; this.#at++) this.#step(this.#bytes[this.#at] as number);
    if (this.#listFrom === undefined || this.#listTo === undefined)
      return { rest: this.#text(0, this.#bytes.length), entries: [] };
    const rest = this.#text(0, this.#listFrom) + this.#text(this.#listTo, this.#bytes.length);
    return { rest, entries: this.#entries };
  }

  #step(byte: number): void {
    if (byte === quote) this.#skipText();
    else if (byte === openList || byte === openObject) this.#open(byte);
    else if (byte === closeList || byte === closeObject) this.#close();
    else if (byte === comma) this.#next();
    else if (byte === colon && this.#depth <= 2) this.#path[this.#depth - 1] = this.#readName(...this.#name);
  }

  #skipText(): void {
    const from = this.#at;
    while (++this.#at < this.#bytes.length && this.#bytes[this.#at] !== quote)
      if (this.#bytes[this.#at] === backslash) this.#at++;
    if (this.#depth <= 2) this.#name = [from, this.#at + 1];
  }

  #open(byte: number): void {
    this.#count();
    if (byte === openList && this.#depth === 2 && this.#path.join('.') === 'log.entries') {
      if (this.#listFrom !== undefined) throw new HarError(this.#fileName, 'log.entries', 'is there twice');
      this.#listFrom = this.#elementFrom = this.#at + 1;
      this.#values = 0;
    }
    this.#depth++;
    if (this.#depth === 2) this.#path[1] = '';
  }

  #close(): void {
    this.#depth--;
    if (this.#depth !== 2 || this.#listFrom === undefined || this.#listTo !== undefined) return;
    this.#listTo = this.#at;
    const isEmpty = this.#entries.length === 0 && this.#text(this.#elementFrom, this.#at).trim() === '';
    if (!isEmpty) this.#end();
  }

  #next(): void {
    this.#count();
    if (this.#depth === 3 && this.#listFrom !== undefined && this.#listTo === undefined) this.#end();
  }

  #end(): void {
    this.#entries.push([this.#elementFrom, this.#at]);
    this.#elementFrom = this.#at + 1;
    this.#values = 0;
  }

  #count(): void {
    if (++this.#values <= mostValues) return;
    const isEntry = this.#listFrom !== undefined && this.#listTo === undefined;
    const place = isEntry ? `log.entries[${this.#entries.length}]` : 'the file';
    throw new HarError(this.#fileName, place, `holds more than ${mostValues} values beside its bodies`);
  }

  #readName(from: number, to: number): string {
    try {
      return String(JSON.parse(this.#text(from, to)));
    } catch {
      return '';
    }
  }

  #text(from: number, to: number): string {
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + from, to - from).toString('utf8');
  }
}
