import { findLayout, findUnequalColumns } from '@candleproof/document/layout/find-layout';
import { findMember, type RowShape } from '@candleproof/document/layout/layout';
import type { HeldBytes } from './held-bytes.ts';
import { isContainer, Members } from './json-members.ts';
import { type Outline, outlineJson } from './json-outline.ts';
import { RowLines } from './row-lines.ts';
import { quote } from './table.ts';
import { UnreadableTable } from './unreadable-table.ts';

/** The most names of columns that lie apart from their rows. */
const mostNames = 1000;

/**
 * Returns the rows of a document in another form than a list as lines; undefined for none. A chunk is valid until the
 * next one is read.
 * @throws JsonFault for what is no JSON
 * @throws UnreadableTable
 */
export function unfoldDocument(bytes: HeldBytes): Generator<Uint8Array> | undefined {
  const outline = outlineJson(bytes);
  const layout = findLayout(outline.value);
  if (layout) return new Unfolding(bytes, outline, layout).listLines();
  const unequal = findUnequalColumns(outline.value);
  if (unequal === undefined) return undefined;
  const [[one, most], [other, length]] = unequal as [[string, number], [string, number]];
  throw new UnreadableTable(
    1,
    `column ${quote(other)} has ${length} values, ${quote(one)} has ${most}; is one cut off?`,
  );
}

/** A column: the name before each of its values in a row, and the rest of its values. */
type Column = { readonly field: string; readonly name: Buffer; readonly members: Members };

const [openBrace, closeBrace, comma] = ['{', '}', ','].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** Reads the rows of a document side by side from the places of their values. */
class Unfolding {
  readonly #bytes: HeldBytes;
  readonly #lines: RowLines;
  readonly #outline: Outline;
  readonly #layout: RowShape;
  readonly #holder: unknown;

  constructor(bytes: HeldBytes, outline: Outline, layout: RowShape) {
    this.#bytes = bytes;
    this.#lines = new RowLines(bytes);
    this.#outline = outline;
    this.#layout = layout;
    this.#holder = findMember(outline.value, layout.rowsAt as string[]);
  }

  *listLines(): Generator<Uint8Array> {
    const writeRow = this.#open();
    while (writeRow()) {
      const lines = this.#lines.endRow();
      if (lines) yield lines;
    }
    yield this.#lines.take();
  }

  /** Returns the writer of the next row, which returns whether there was one. */
  #open(): () => boolean {
    const { form } = this.#layout;
    if (form === 'columns') return this.#openColumns();
    if (form === 'named') return this.#openNamed();
    if (form === 'columns-by-key') return this.#openColumnsByKey();
    const rows = this.#walk(this.#holder);
    if (form === 'keyed') return () => rows.pass() && this.#writeKeyed(rows);
    return () => rows.pass() && this.#writeWhole(rows);
  }

  #walk(container: unknown): Members {
    return new Members(this.#bytes, this.#outline.place(container) ?? 0);
  }

  #walkColumns(): Column[] {
    return Object.entries(this.#layout.nested ?? {}).map(([field, steps]) => ({
      field,
      name: nameBytes(field),
      members: this.#walk(findMember(this.#holder, steps)),
    }));
  }

  #writeWhole({ from, end }: Members): true {
    if (!isContainer(this.#bytes.byte(from))) this.#refuseRow(from, end);
    this.#lines.addPiece(from, end);
    return true;
  }

  /** Writes an object with its key as a further member. */
  #writeKeyed({ from, end, keyFrom, keyTo }: Members): true {
    if (this.#bytes.byte(from) !== openBrace[0]) this.#refuseRow(from, end);
    const isEmpty = !new Members(this.#bytes, from).next();
    this.#lines.addPiece(from, end - 1);
    this.#addMember(nameBytes(this.#layout.key ?? ''), keyFrom, keyTo, isEmpty);
    this.#lines.addText(closeBrace);
    return true;
  }

  #refuseRow(from: number, end: number): never {
    const text = this.#bytes.slice(from, end).toString();
    throw new UnreadableTable(this.#lines.rows + 1, `${quote(text)} is no row`);
  }

  #addMember(name: Buffer, from: number, to: number, isFirst: boolean): void {
    if (!isFirst) this.#lines.addText(comma);
    this.#lines.addText(name);
    this.#lines.addPiece(from, to);
  }

  #openColumns(): () => boolean {
    const columns = this.#walkColumns();
    return () => {
      const full = columns.filter(({ members }) => members.pass());
      if (full.length === 0) return false;
      this.#lines.addText(openBrace);
      for (const [at, { name, members }] of full.entries())
        this.#addMember(name, members.from, members.end, at === 0);
      this.#lines.addText(closeBrace);
      return true;
    };
  }

  #openNamed(): () => boolean {
    const { namesAt = '', listAt = '', indexAt, key = '' } = this.#layout;
    const names = findMember(this.#holder, [namesAt]) as readonly unknown[];
    if (names.length > mostNames)
      throw new UnreadableTable(1, `${names.length} columns are named, at most ${mostNames} are read`);
    const fields = names.map((name) => nameBytes(String(name)));
    const rows = this.#walk(findMember(this.#holder, [listAt]));
    const index = indexAt === undefined ? undefined : this.#walk(findMember(this.#holder, [indexAt]));
    return () => {
      if (!rows.pass()) return false;
      this.#lines.addText(openBrace);
      this.#writeNamed(rows, fields);
      if (index?.pass()) this.#addMember(nameBytes(key), index.from, index.end, false);
      this.#lines.addText(closeBrace);
      return true;
    };
  }

  #writeNamed({ from, end }: Members, fields: readonly Buffer[]): void {
    if (this.#bytes.byte(from) !== 0x5b) this.#refuseRow(from, end);
    const values = new Members(this.#bytes, from);
    let count = 0;
    for (; values.pass(); count++) {
      const field = fields[count];
      if (field) this.#addMember(field, values.from, values.end, count === 0);
    }
    if (count !== fields.length)
      throw new UnreadableTable(
        this.#lines.rows + 1,
        `${count} values where ${fields.length} columns are named; is it cut off?`,
      );
  }

  /** Reads values by their keys: a column may lack some of those of the first, in whose order they are. */
  #openColumnsByKey(): () => boolean {
    const [first, ...others] = this.#walkColumns();
    const key = nameBytes(this.#layout.key ?? '');
    const waiting = others.filter(({ members }) => members.pass());
    return () => {
      if (!first?.members.pass()) {
        if (waiting[0]) this.#refuseKey(waiting[0], first?.field ?? '');
        return false;
      }
      const { members, name } = first;
      this.#lines.addText(openBrace);
      this.#addMember(name, members.from, members.end, true);
      for (const [at, column] of [...waiting.entries()].toReversed()) {
        if (!this.#isSame(column.members, members)) continue;
        this.#addMember(column.name, column.members.from, column.members.end, false);
        if (!column.members.pass()) waiting.splice(at, 1);
      }
      this.#addMember(key, members.keyFrom, members.keyTo, false);
      this.#lines.addText(closeBrace);
      return true;
    };
  }

  #refuseKey({ field, members }: Column, first: string): never {
    const key = this.#bytes.slice(members.keyFrom, members.keyTo).toString();
    throw new UnreadableTable(
      this.#lines.rows,
      `column ${quote(field)} has a value for ${key}, which ${quote(first)} lacks or has at another place; give all columns in one order`,
    );
  }

  #isSame(one: Members, other: Members): boolean {
    const length = one.keyTo - one.keyFrom;
    if (length !== other.keyTo - other.keyFrom) return false;
    for (let at = 0; at < length; at++)
      if (this.#bytes.byte(one.keyFrom + at) !== this.#bytes.byte(other.keyFrom + at)) return false;
    return true;
  }
}

/** Returns the bytes that begin a member of a row. */
function nameBytes(field: string): Buffer {
  return Buffer.from(`${JSON.stringify(field)}:`);
}
