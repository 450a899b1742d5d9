import { findLayout, findUnequalColumns, isRecord } from '../../contract/layout/find-layout.ts';
import { findMember, unfoldRows } from '../../contract/layout/layout.ts';
import { ArraySplitter } from './array-splitter.ts';
import { quote, type TableChoice } from './table.ts';
import { decodeText } from './text-bytes.ts';
import { UnreadableTable } from './unreadable-table.ts';

/** Bytes that determine the form of a document; no API response has more before its rows. */
const headBytes = 4096;

/** The most bytes of a document that holds its rows in another form than a list, and is parsed as a whole. */
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

  /** Decodes the chunks as text, and splits them. Throws UnreadableTable for an array that is not closed, or that another one follows. */
  async *split(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const held: Uint8Array[] = [];
    let [size, bound] = [0, headBytes];
    let isKnown = false;
    for await (const chunk of decodeText(chunks)) {
      if (isKnown) {
        yield this.#splitter?.split(chunk) ?? chunk;
        continue;
      }
      // A chunk is valid only until the next one is read.
      held.push(new Uint8Array(chunk));
      size += chunk.length;
      if (size < bound) continue;
      const bytes = Buffer.concat(held.splice(0));
      isKnown = !this.#isWhole(bytes) || bytes.length > mostWhole;
      if (isKnown) yield this.#open(bytes);
      else {
        held.push(bytes);
        bound = mostWhole;
      }
    }
    if (!isKnown) yield* this.#end(Buffer.concat(held));
    this.#splitter?.end();
  }

  /** Returns whether the rows can be found only in the whole document. */
  #isWhole(bytes: Uint8Array): boolean {
    const text = decodeHead(bytes);
    if (text === '' || this.#choice.columns !== undefined) return false;
    return !isLines(text) && findFirstRow(text) === undefined;
  }

  *#end(bytes: Uint8Array): Generator<Uint8Array> {
    const rows = this.#isWhole(bytes) ? unfoldDocument(bytes) : undefined;
    if (!rows) yield this.#open(bytes);
    else {
      this.isArray = true;
      for (let at = 0; at < rows.length; at += rowsAtOnce)
        yield Buffer.from(
          rows
            .slice(at, at + rowsAtOnce)
            .map((row) => `${JSON.stringify(row)}\n`)
            .join(''),
        );
    }
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

const rowsAtOnce = 1000;

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

/** Returns the rows of a document in another form than a list; undefined for none. Throws UnreadableTable. */
function unfoldDocument(bytes: Uint8Array): readonly unknown[] | undefined {
  const body = parse(
    Buffer.from(bytes)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  );
  const layout = findLayout(body);
  const unequal = layout ? undefined : findUnequalColumns(body);
  if (unequal) {
    const [[one, most], [other, length]] = unequal as [[string, number], [string, number]];
    throw new UnreadableTable(
      1,
      `column ${quote(other)} has ${length} values, ${quote(one)} has ${most}; is one cut off?`,
    );
  }
  const holder = layout && findMember(body, layout.rowsAt as string[]);
  const rows = layout && unfoldRows(holder, layout)?.records;
  const wrong = rows?.findIndex((row) => typeof row !== 'object' || row === null) ?? -1;
  if (wrong !== -1) throw new UnreadableTable(wrong + 1, `${quote(String(rows?.[wrong]))} is no row`);
  return rows;
}
