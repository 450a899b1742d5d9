import { isRecord } from '@candleproof/document/layout/find-layout';
import { ArraySplitter } from './array-splitter.ts';
import { HeldBytes } from './held-bytes.ts';
import { JsonFault } from './json-members.ts';
import { outlineJson } from './json-outline.ts';
import { refuseRecording } from './other-formats.ts';
import { rowsOnly, type TableChoice } from './table.ts';
import { decodeText } from './text-bytes.ts';
import { unfoldDocument } from './unfold-document.ts';
import { UnreadableTable } from './unreadable-table.ts';

/** Bytes that determine the form of a document; no API response has more before its rows. */
const headBytes = 4096;

/** The most bytes of a document that holds its rows in another form than a list, and is held as a whole. */
const mostWhole = 256 << 20;

/** The start of an array of rows, or an empty one at the end of the document. */
const arrayOfRows = /\[\s*([[{]|\][\s}]*$)/;

/**
 * Puts every row of a JSON document on a separate line. A list of rows, alone or inside an object, is split as it comes;
 * rows in another form, such as columns, are unfolded from the whole document. Other bytes pass unchanged.
 */
export class ArrayLines {
  /** True if each line is a row of a document, so that lines have other numbers in the file. */
  isArray = false;
  readonly #choice: TableChoice;
  #splitter: ArraySplitter | undefined;

  constructor(choice: TableChoice) {
    this.#choice = choice;
  }

  /**
   * Decodes the chunks as text, and splits them.
   * @throws UnreadableTable for an array that is not closed, or that another one follows, and for too large a document
   */
  async *split(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let held = new HeldBytes();
    let [isKnown, isWhole] = [false, false];
    for await (const chunk of decodeText(chunks)) {
      if (isKnown) {
        yield this.#splitter?.split(chunk) ?? chunk;
        continue;
      }
      held.append(chunk);
      if (held.length < headBytes) continue;
      isWhole ||= this.#isWhole(held.slice(0, headBytes));
      isKnown = !isWhole || held.length > mostWhole;
      if (!isKnown) continue;
      if (isWhole) refuseTooLarge(held);
      yield* this.#passAll(held);
      held = new HeldBytes();
    }
    if (!isKnown) yield* this.#end(held);
    this.#splitter?.end();
  }

  /** Returns whether the rows can be found only in the whole document. */
  #isWhole(bytes: Uint8Array): boolean {
    const text = decodeHead(bytes);
    refuseRecording(text);
    if (text === '' || this.#choice.columns !== undefined) return false;
    return !isLines(text) && findFirstRow(text) === undefined;
  }

  *#end(held: HeldBytes): Generator<Uint8Array> {
    const rows = this.#isWhole(held.slice(0, headBytes)) ? unfoldIfJson(held) : undefined;
    if (!rows) yield* this.#passAll(held);
    else {
      this.isArray = true;
      yield* rows;
    }
  }

  *#passAll(held: HeldBytes): Generator<Uint8Array> {
    for (const [at, piece] of [...held.pieces()].entries())
      yield at === 0 ? this.#open(piece) : (this.#splitter?.split(piece) ?? piece);
  }

  #open(bytes: Uint8Array): Uint8Array {
    const text = decodeHead(bytes);
    const isJson = text !== '' && !isLines(text);
    const begin = isJson ? (findFirstRow(text) ?? text.search(arrayOfRows)) : -1;
    if (begin === -1) return bytes;
    this.isArray = true;
    const [, name] = /"([^"]*)"\s*:\s*$/.exec(text.slice(0, begin)) ?? [];
    const skipped = hasMark(bytes) ? 3 : 0;
    const at = skipped + begin;
    this.#splitter = new ArraySplitter(this.#choice, { at, name: name ?? '' });
    return this.#splitter.split(bytes.subarray(at));
  }
}

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Decodes bytes of JSON one by one, so that positions in the text are those in the bytes after a byte order mark. */
function decodeHead(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(hasMark(bytes) ? 3 : 0, headBytes)).toString('latin1');
  return /^\s*[[{]/.test(text) ? text : '';
}

/** Returns whether each line of a text is a JSON value, at least the first of several or the only row. */
function isLines(text: string): boolean {
  const end = text.search(/\n\s*\S/);
  const first = parse(end === -1 ? text : text.slice(0, end));
  return first !== undefined && (end !== -1 || isRecord(first));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the position of the first array whose first element is a row; undefined for none. */
function findFirstRow(text: string): number | undefined {
  if (hasNamesApart(text)) return undefined;
  for (const { index } of text.matchAll(/\[\s*[[{]/g)) {
    const begin = text.slice(index + 1).search(/\S/) + index + 1;
    const element = parse(text.slice(begin, findEnd(text, begin)));
    if (isRecord(element)) return index;
  }
  return undefined;
}

/** Returns whether a list of four names or more, as of columns, lies beside rows. */
function hasNamesApart(text: string): boolean {
  return (
    /"\w+"\s*:\s*\[\s*("[^"\]]*"\s*,\s*){3,}"[^"\]]*"\s*\]/.test(text) && /[[,]\s*"[^"]*open/i.test(text)
  );
}

/** Returns the end of the object or list that begins at a position, or that of the text. */
function findEnd(text: string, begin: number): number {
  let [depth, isText] = [0, false];
  for (let at = begin; at < text.length; at++) {
    const code = text[at];
    if (isText && code === '\\') at++;
    else if (code === '"') isText = !isText;
    else if (isText) continue;
    else if (code === '[' || code === '{') depth++;
    else if ((code === ']' || code === '}') && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Returns the rows of a document in another form than a list; undefined for none, as for what is no JSON. */
function unfoldIfJson(held: HeldBytes): Generator<Uint8Array> | undefined {
  try {
    return unfoldDocument(held);
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

/** Refuses the beginning of a document that is larger than what is held, unless it is no JSON. */
function refuseTooLarge(held: HeldBytes): void {
  try {
    outlineJson(held);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    if (error.at < held.length) return;
  }
  throw new UnreadableTable(
    1,
    `no list of rows in its first ${headBytes} bytes, and of a document that has them as columns or further down at most ${mostWhole >> 20} MB are read: our limit, which no flag raises; ${rowsOnly}`,
  );
}
