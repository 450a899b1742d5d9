import { HarError } from './har-node.ts';
import { type HarPart, PartBytes } from './har-part.ts';

/** A recording without its entries: what lies before them, and behind; all of it, if it has no list of entries. */
export type RestOfRecording = { readonly before: HarPart; readonly after?: HarPart };

/** One element of the list of entries, with the byte that ends it; none if the file ends within the list. */
export type Element = { readonly part: HarPart; readonly index: number; readonly ending: string };

/**
 * Most JSON values of one entry, or of all beside the entries, bodies being text: a parsed value takes up to a hundred
 * times the memory of its text.
 */
const mostValues = 1_000_000;

/** Beyond these bytes of one entry, or of all beside the entries, long texts are left out: parsing takes five times as much. */
const mostBytes = 48 << 20;

/** Shorter texts are never left out: addresses, headers and names. */
const longText = 1 << 16;

/** Bytes that one entry must not hold without its long texts. */
const refusedBytes = 64 << 20;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Passes on the elements of `log.entries` one by one. What is no JSON is split anywhere: then the rest or an element is
 * none either.
 * @throws HarError for a second list of entries, and for more values or bytes than any recorder writes
 */
export function splitEntries(
  chunks: Iterable<Uint8Array>,
  fileName: string,
  take: (element: Element) => void,
): RestOfRecording {
  const splitter = new Splitter(fileName, take);
  for (const chunk of chunks) splitter.push(chunk);
  return splitter.end();
}

class Splitter {
  readonly #fileName: string;
  readonly #take: (element: Element) => void;
  readonly #part = new PartBytes();
  /** The names that lead to the place: the member of the file, and that of `log`. */
  readonly #path = ['', ''];
  #name: [from: number, to: number] = [0, 0];
  #depth = 0;
  #values = 0;
  #entries = 0;
  #before: HarPart | undefined;
  #isPastList = false;
  /** A text begins here in the part, or none is open. */
  #textFrom: number | undefined;
  #isEscaped = false;

  constructor(fileName: string, take: (element: Element) => void) {
    this.#fileName = fileName;
    this.#take = take;
  }

  push(chunk: Uint8Array): void {
    this.#part.open(chunk);
    for (let at = 0; at < chunk.length; at++)
      if (this.#textFrom === undefined) this.#step(chunk[at] as number, at);
      else at = this.#passText(chunk, at);
    this.#part.keep(chunk.length);
    this.#bound();
  }

  end(): RestOfRecording {
    this.#part.open(new Uint8Array(0));
    if (this.#before === undefined) return { before: this.#part.take(0) };
    if (!this.#isPastList) this.#endElement(0, '');
    return { before: this.#before, after: this.#part.take(0) };
  }

  get #isInList(): boolean {
    return this.#before !== undefined && !this.#isPastList;
  }

  #step(byte: number, at: number): void {
    if (byte === quote) this.#textFrom = this.#part.offset(at);
    else if (byte === openList || byte === openObject) this.#open(byte, at);
    else if (byte === closeList || byte === closeObject) this.#close(byte, at);
    else if (byte === comma) this.#next(at);
    else if (byte === colon && (this.#depth === 1 || this.#depth === 2)) this.#readName(at);
  }

  /** Returns the place of the quote that ends the text, or one behind the chunk. */
  #passText(chunk: Uint8Array, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    for (; at < chunk.length && chunk[at] !== quote; at++) if (chunk[at] === backslash) at++;
    this.#isEscaped = at > chunk.length;
    if (at < chunk.length) {
      this.#part.resume(at);
      if (this.#depth <= 2) this.#name = [this.#textFrom ?? 0, this.#part.offset(at) + 1];
      this.#textFrom = undefined;
    }
    return at;
  }

  #open(byte: number, at: number): void {
    this.#count();
    if (byte === openList && this.#depth === 2 && this.#path.join('.') === 'log.entries') {
      if (this.#before !== undefined) throw new HarError(this.#fileName, 'log.entries', 'is there twice');
      this.#before = this.#part.take(at + 1);
      this.#values = 0;
    }
    this.#depth++;
    if (this.#depth === 2) this.#path[1] = '';
  }

  #close(byte: number, at: number): void {
    this.#depth--;
    if (this.#depth !== 2 || !this.#isInList) return;
    this.#endElement(at, String.fromCharCode(byte));
    this.#isPastList = true;
  }

  #next(at: number): void {
    this.#count();
    if (this.#depth !== 3 || !this.#isInList) return;
    this.#endElement(at, ',');
    this.#part.skipComma();
  }

  /** Ends an element of the list; a list without any has none. */
  #endElement(at: number, ending: string): void {
    const part = this.#part.take(at);
    const isEmpty = this.#entries === 0 && /^[\]}]$/.test(ending) && part.text.trim() === '';
    if (!isEmpty) this.#take({ part, index: this.#entries++, ending });
    this.#values = 0;
  }

  #count(): void {
    if (++this.#values > mostValues) this.#refuse(`more than ${mostValues} values beside its bodies`);
  }

  #bound(): void {
    const { length } = this.#part;
    if (length <= mostBytes) return;
    const from = (this.#textFrom ?? length) + 1;
    if (length - from > longText) this.#part.leaveOut(from);
    else if (length > refusedBytes) this.#refuse(`more than ${refusedBytes >> 20} MiB beside its bodies`);
  }

  #refuse(excess: string): never {
    const place = this.#isInList ? `log.entries[${this.#entries}]` : 'the file';
    throw new HarError(this.#fileName, place, `holds ${excess}`);
  }

  #readName(at: number): void {
    this.#part.keep(at);
    try {
      this.#path[this.#depth - 1] = String(JSON.parse(this.#part.text(...this.#name)));
    } catch {
      this.#path[this.#depth - 1] = '';
    }
  }
}
