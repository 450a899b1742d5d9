import { isCount, toSeconds } from '@candleproof/document/layout/written-times';
import type { ColumnRole } from './columns.ts';
import { IsoReader } from './iso-reader.ts';
import { Cursor } from './numbers.ts';
import { codes, fillRow, makeValues } from './row-values.ts';
import { findAmount, type TableForm, type TableRow } from './table.ts';

const [space, quotationMark, comma, colon, backslash] = [32, 34, 44, 58, 92];
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125];

/** A member of each row: its key with quotation marks, none in a list, and the code of its role; 0 for none. */
type Member = { readonly key: Uint8Array; readonly role: number };

type JsonForm = Extract<TableForm, { kind: 'ndjson' }>;

/**
 * Reads rows of JSON whose members are those of the first row in its order, and whose values are plain decimals or texts of
 * them, without parsing the JSON. Leaves every other row to the parser.
 */
export class PlainJson {
  readonly #members: readonly Member[];
  readonly #isList: boolean;
  readonly #unit: JsonForm['unit'];
  /** The code of the role whose text is kept; -1 for none. */
  readonly #amount: number;
  readonly #values = makeValues();
  readonly #cursor = new Cursor();
  readonly #iso = new IsoReader();

  private constructor(form: JsonForm, members: readonly Member[], isList: boolean, keepsText: boolean) {
    this.#members = members;
    this.#isList = isList;
    this.#unit = form.unit;
    this.#amount = keepsText ? codes[findAmount(form.places)] : -1;
  }

  /** Opens the reader by the first row; undefined if rows of its form need the parser. */
  static open(form: JsonForm, first: object, keepsText: boolean): PlainJson | undefined {
    const places = Object.entries(form.places).filter(([role]) => role !== 'date');
    const names = places.map(([, place]) => place[0]);
    const isPlain = places.every(([, place]) => place.length === 1) && new Set(names).size === names.length;
    const isRead = isCount(form.unit) || form.unit === 'iso';
    if (!isPlain || !isRead || form.hasDateApart) return undefined;
    const isList = Array.isArray(first);
    const members = Object.keys(first).map((name): Member => {
      const role = places.find(([, [place]]) => place === name)?.[0];
      const key = isList ? new Uint8Array(0) : Buffer.from(JSON.stringify(name));
      return { key, role: role === undefined ? 0 : codes[role as ColumnRole] };
    });
    return new PlainJson(form, members, isList, keepsText);
  }

  /** Reads the row that begins at a position; returns false, with the row as it was, if only the parser can. */
  read(bytes: Uint8Array, from: number, row: TableRow): boolean {
    const values = this.#values.fill(Number.NaN);
    const isList = this.#isList;
    let at = skipSpace(bytes, from);
    if (bytes[at++] !== (isList ? openList : openObject)) return false;
    let text = '';
    const members = this.#members;
    for (let number = 0; number < members.length; number++) {
      const { key, role } = members[number] as Member;
      if (number > 0) {
        at = skipSpace(bytes, at);
        if (bytes[at++] !== comma) return false;
      }
      at = skipSpace(bytes, at);
      if (!isList) {
        for (let byte = 0; byte < key.length; byte++) if (bytes[at + byte] !== key[byte]) return false;
        at = skipSpace(bytes, at + key.length);
        if (bytes[at++] !== colon) return false;
        at = skipSpace(bytes, at);
      }
      const end =
        role === 0 ? skipScalar(bytes, at) : this.#readValue(bytes, at, role, number === members.length - 1);
      if (end < 0) return false;
      if (role === this.#amount) text = readText(bytes, at, end, values[role] as number);
      at = end;
    }
    at = skipSpace(bytes, at);
    if (bytes[at] !== (isList ? closeList : closeObject) || bytes[skipSpace(bytes, at + 1)] !== 10)
      return false;
    fillRow(row, values);
    row.volumeText = text;
    return true;
  }

  /** Reads the value of a role. Returns the position behind it; -1 for one that only the parser reads. */
  #readValue(bytes: Uint8Array, at: number, role: number, isLast: boolean): number {
    const cursor = this.#cursor;
    const isText = bytes[at] === quotationMark;
    cursor.at = isText ? at + 1 : at;
    const close = this.#isList ? closeList : closeObject;
    const end = isText ? quotationMark : isLast ? close : comma;
    const isDate = role === codes.time && !isCount(this.#unit);
    if (isDate && !isText) return -1;
    const value = isDate ? this.#iso.read(bytes, cursor, end) : cursor.number(bytes, end);
    if (Number.isNaN(value)) return -1;
    const unit = this.#unit;
    this.#values[role] = role === codes.time && isCount(unit) ? toSeconds(value, unit) : value;
    return isText ? cursor.at + 1 : cursor.at;
  }
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === space) at++;
  return at;
}

/** Skips a plain value without a role. Returns -1 for a list, an object, or a text with an escaped character. */
function skipScalar(bytes: Uint8Array, from: number): number {
  let at = from;
  if (bytes[at] === quotationMark) {
    for (at++; bytes[at] !== quotationMark; at++) if (bytes[at] === backslash || bytes[at] === 10) return -1;
    return at + 1;
  }
  for (; ; at++) {
    const code = bytes[at];
    if (code === comma || code === closeList || code === closeObject || code === space) return at;
    if (code === 10 || code === openList || code === openObject) return -1;
  }
}

/** Returns the text of an amount: as it is written, or that of the double that a number of JSON is. */
function readText(bytes: Uint8Array, from: number, end: number, value: number): string {
  if (bytes[from] !== quotationMark) return value.toExponential();
  return String.fromCharCode(...bytes.subarray(from + 1, end - 1));
}
