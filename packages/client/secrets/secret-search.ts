import { plainValues, readPlainly } from './plain-characters.ts';
import { FEWEST_DIFFERENT, type SecretForm } from './secret-forms.ts';

/** A part of a text that reveals a secret: its place, and the secret's number. */
export type FoundSecret = { readonly from: number; readonly to: number; readonly secret: number };

/** Letters and digits that are looked up together; as one number of base 36 they are exact. */
const LOOKED_UP = 8;
const BASE = 36;
const HIGHEST = BASE ** (LOOKED_UP - 1);

/** A piece that occurs in more places of the secrets reveals none of them. */
const MOST_PLACES = 64;

/** Bits of the sieve that rules out most of a text before any lookup; it fits into a processor's cache. */
const SIEVE_BITS = 17;

/** Reused for the values of texts that fit, which most do: header lines and bodies of some thousand characters. */
const ROOM = new Uint8Array(1 << 16);

/** Ends the values; not a letter or digit. */
const END = 255;

type Form = {
  readonly secret: number;
  readonly values: Uint8Array;
  /** As in SecretForm. */
  readonly telling: number;
  readonly perCharacter: number;
};

/** A place of LOOKED_UP letters and digits in a form. */
type Place = { readonly form: Form; readonly at: number };

/** A part of a text by the indexes of its letters and digits, without `end`, and the secret's characters in it. */
type Row = {
  readonly start: number;
  readonly end: number;
  readonly secret: number;
  readonly characters: number;
};

/** Searches a text in one pass for all forms of any number of secrets. */
export class SecretSearch {
  readonly #places = new Map<number, Place[]>();
  readonly #sieve = new Uint32Array(2 ** (SIEVE_BITS - 5));
  /** Distance between lookups, small enough that even the shortest revealing row contains one. */
  #step = Number.POSITIVE_INFINITY;
  #secrets = 0;

  /** Adds a secret by its forms; returns its number, from 0. */
  add(forms: readonly SecretForm[]): number {
    const secret = this.#secrets++;
    for (const { text, telling, perCharacter } of forms) {
      this.#addForm({ secret, values: plainValues(text), telling, perCharacter });
      this.#step = Math.min(this.#step, telling - LOOKED_UP + 1);
    }
    return secret;
  }

  /** Returns parts that do not overlap, in order; of several secrets in one place, the one with the longest part. */
  find(text: string): FoundSecret[] {
    if (text.length < LOOKED_UP) return [];
    const values = text.length < ROOM.length ? ROOM : new Uint8Array(text.length + 1);
    const count = readPlainly(text, values);
    values[count] = END;
    const step = this.#step;
    const rows: Row[] = [];
    let begin = 0;
    for (let at = 0, near = 0; at + LOOKED_UP <= count; at += step) {
      if (!this.#mayHold(codeAt(values, at))) continue;
      for (near = Math.max(near, at - step + 1); near < at + step; near++) {
        const row = near + LOOKED_UP <= count ? this.#rowAt(values, near, begin) : undefined;
        if (!row) continue;
        rows.push(row);
        begin = row.end;
        near = begin - 1;
      }
    }
    return locateRows(rows, text);
  }

  #mayHold(code: number): boolean {
    const bit = sieveBits(code);
    return (((this.#sieve[bit >>> 5] as number) >>> (bit & 31)) & 1) === 1;
  }

  #rowAt(values: Uint8Array, at: number, begin: number): Row | undefined {
    const code = codeAt(values, at);
    const places = this.#mayHold(code) ? this.#places.get(code) : undefined;
    return places && longestOf(places, values, at, begin);
  }

  #addForm(form: Form): void {
    const { values } = form;
    const counts = new Uint8Array(BASE);
    let different = 0;
    let code = 0;
    for (let end = 0; end < values.length; end++) {
      const at = end - LOOKED_UP + 1;
      if (at > 0) {
        const left = values[at - 1] as number;
        if (--(counts[left] as number) === 0) different--;
        code -= left * HIGHEST;
      }
      const value = values[end] as number;
      if ((counts[value] as number)++ === 0) different++;
      code = code * BASE + value;
      if (at < 0) continue;
      const bit = sieveBits(code);
      this.#sieve[bit >>> 5] = (this.#sieve[bit >>> 5] as number) | (1 << (bit & 31));
      if (different < FEWEST_DIFFERENT) continue;
      const places = this.#places.get(code);
      if (places === undefined) this.#places.set(code, [{ form, at }]);
      else if (places.length < MOST_PLACES) places.push({ form, at });
    }
  }
}

function codeAt(values: Uint8Array, from: number): number {
  let code = 0;
  for (let at = from; at < from + LOOKED_UP; at++) code = code * BASE + (values[at] as number);
  return code;
}

/** Returns the row that reveals most at `found`; undefined if none reveals enough. */
function longestOf(
  places: readonly Place[],
  values: Uint8Array,
  found: number,
  begin: number,
): Row | undefined {
  let longest: Row | undefined;
  for (const { form, at } of places) {
    let before = 0;
    while (before < Math.min(at, found - begin) && isSame(form, at - before - 1, values, found - before - 1))
      before++;
    let length = LOOKED_UP;
    while (at + length < form.values.length && isSame(form, at + length, values, found + length)) length++;
    const characters = (before + length) / form.perCharacter;
    if (before + length < form.telling || characters <= (longest?.characters ?? 0)) continue;
    longest = { secret: form.secret, characters, start: found - before, end: found + length };
  }
  return longest;
}

/** Finds the places of rows in the text, which the search does not keep because most texts have no rows. */
function locateRows(rows: readonly Row[], text: string): FoundSecret[] {
  if (rows.length === 0) return [];
  const places = new Uint32Array(2 * text.length);
  readPlainly(text, new Uint8Array(text.length), places);
  return rows.map(({ start, end, secret }) => ({
    from: places[2 * start] as number,
    to: places[2 * end - 1] as number,
    secret,
  }));
}

function isSame(form: Form, at: number, values: Uint8Array, place: number): boolean {
  return form.values[at] === values[place];
}

/** Hashes a code to an index of the sieve. */
function sieveBits(code: number): number {
  return Math.imul(Math.floor(code / 0x1_0000) ^ code, 0x9e3779b1) >>> (32 - SIEVE_BITS);
}
