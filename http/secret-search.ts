import { readPlainly } from './plain-characters.ts';
import type { SecretForm } from './secret-forms.ts';

/** A stretch of a text that tells of a secret: its place, the secret's number, and how many characters it tells. */
export type Told = { from: number; to: number; secret: number; characters: number };

/** Letters and digits in a row that are looked up at once: as numbers of base 36 they are exact. */
const LOOKED_UP = 8;
const BASE = 36;
const HIGHEST = BASE ** (LOOKED_UP - 1);

/** Rows of fewer different letters or digits are everywhere, zeros first of all. */
const FEWEST_DIFFERENT = 4;

/** What stands in more places of the secrets than these tells nothing of any. */
const MOST_PLACES = 64;

/** Bits of the sieve that most of a text falls through before anything is looked up. */
const SIEVE_BITS = 20;

type Form = {
  readonly secret: number;
  readonly values: Uint8Array;
  /** Letters and digits in a row that must be there, and how many of them stand for one character. */
  readonly telling: number;
  readonly perCharacter: number;
};

/** Where in a form eight letters and digits stand. */
type Place = { readonly form: Form; readonly at: number };

/** Looks for any number of secrets, in all the forms that they are given, in one pass over a text. */
export class SecretSearch {
  readonly #places = new Map<number, Place[]>();
  readonly #sieve = new Uint32Array(2 ** (SIEVE_BITS - 5));
  #secrets = 0;

  /** The number, from 0, of a secret that is to be found in these forms. */
  add(forms: readonly SecretForm[]): number {
    const secret = this.#secrets++;
    for (const { text, telling, perCharacter } of forms) {
      const { values } = readPlainly(text);
      this.#learn({ secret, values, telling, perCharacter });
    }
    return secret;
  }

  /** Stretches that do not overlap, in their order; of several secrets in one place the one of which most is told. */
  find(text: string): Told[] {
    const { values, from, to } = readPlainly(text);
    const sieve = this.#sieve;
    const told: Told[] = [];
    let code = 0;
    let begin = 0;
    for (let at = 0; at < values.length; at++) {
      if (at >= begin + LOOKED_UP) code -= (values[at - LOOKED_UP] as number) * HIGHEST;
      code = code * BASE + (values[at] as number);
      if (at < begin + LOOKED_UP - 1) continue;
      const bit = sieved(code);
      if ((((sieve[bit >>> 5] as number) >>> (bit & 31)) & 1) === 0) continue;
      const longest = longestOf(this.#places.get(code) ?? [], values, at - LOOKED_UP + 1, begin);
      if (!longest) continue;
      const { secret, characters, start, end } = longest;
      told.push({ from: from[start] as number, to: to[end - 1] as number, secret, characters });
      at = end - 1;
      begin = end;
      code = 0;
    }
    return told;
  }

  #learn(form: Form): void {
    const { values } = form;
    for (let at = 0; at + LOOKED_UP <= values.length; at++) {
      const row = values.subarray(at, at + LOOKED_UP);
      if (new Set(row).size < FEWEST_DIFFERENT) continue;
      const code = row.reduce((sum, value) => sum * BASE + value, 0);
      const places = this.#places.get(code) ?? [];
      if (places.length < MOST_PLACES) this.#places.set(code, [...places, { form, at }]);
      const bit = sieved(code);
      this.#sieve[bit >>> 5] = (this.#sieve[bit >>> 5] as number) | (1 << (bit & 31));
    }
  }
}

type Row = Pick<Told, 'secret' | 'characters'> & { readonly start: number; readonly end: number };

/** Of the forms that hold the eight at `found` the one that tells most there, if any tells enough. */
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

function isSame(form: Form, at: number, values: Uint8Array, place: number): boolean {
  return form.values[at] === values[place];
}

/** The highest bits of a product that all bits of the code go into. */
function sieved(code: number): number {
  return Math.imul(Math.floor(code / 0x1_0000) ^ code, 0x9e3779b1) >>> (32 - SIEVE_BITS);
}
