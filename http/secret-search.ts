import { digitOf, LETTERS_AND_DIGITS, readPlainly } from './plain-characters.ts';
import { FEWEST_DIFFERENT, type SecretForm } from './secret-forms.ts';

/** A stretch of a text that tells of a secret: its place, the secret's number, and how many characters it tells. */
export type Told = { from: number; to: number; secret: number; characters: number };

/** Characters of a secret in a row that tell so much of it that they are kept back. */
const TELLING = 12;

/** Characters told are counted in so many parts of one, since that makes small integers of them. */
const PARTS = 24;

/** What more secrets than these have in common tells nothing of any. */
const MOST_OWNERS = 32;

/** Letters and digits in a row that are looked up at once; five of six bits fit a small integer. */
const LOOKED_UP = 5;
const SIX_BITS = 6;
const MASK = 2 ** (LOOKED_UP * SIX_BITS) - 1;

/** Bits of the sieve that most of a text falls through before anything is looked up. */
const SIEVE_BITS = 20;

/** A form of a secret, and its row of letters and digits that was seen last. */
type Form = {
  readonly secret: Secret;
  /** What of the secret one letter or digit tells, and the first ones of a row. */
  readonly each: number;
  readonly first: number;
  /** How many letters and digits had been seen at the row's end. */
  seen: number;
  /** Where the row begins in the text, and what of the secret it tells. */
  from: number;
  told: number;
};

type Secret = { readonly number: number; telling: number };

/** Looks for any number of secrets, in all the forms that they are given, in one pass over a text. */
export class SecretSearch {
  readonly #forms: Form[] = [];
  readonly #owners = new Map<number, Form[]>();
  #secrets = 0;
  readonly #sieve = new Uint32Array(2 ** (SIEVE_BITS - 5));

  /** The number, from 0, of a secret that is to be found in these forms. */
  add(forms: readonly SecretForm[]): number {
    const number = this.#secrets++;
    const secret: Secret = { number, telling: TELLING * PARTS };
    for (const { texts, perCharacter } of forms) {
      // Where a row begins and ends amid the encoding of a character, that one is told in part.
      const cutOff = Number.isInteger(perCharacter) ? 0 : 2;
      const form = {
        secret,
        each: Math.round(PARTS / perCharacter),
        first: Math.round(((LOOKED_UP + cutOff) * PARTS) / perCharacter),
        seen: 0,
        from: 0,
        told: 0,
      };
      this.#forms.push(form);
      for (const each of texts) this.#learn(each, form);
      const shortest = Math.min(...texts.map((each) => each.length));
      secret.telling = Math.min(secret.telling, Math.floor(shortest / perCharacter) * PARTS);
    }
    return number;
  }

  /** Stretches that do not overlap, in their order. */
  find(text: string): Told[] {
    const told: Told[] = [];
    const starts = new Float64Array(8);
    const sieve = this.#sieve;
    const owners = this.#owners;
    let code = 0;
    let count = 0;
    for (const form of this.#forms) form.seen = -LOOKED_UP;
    readPlainly(text, (value, from, to) => {
      code = ((code << SIX_BITS) | value) & MASK;
      starts[count & 7] = from;
      count++;
      const bit = sieved(code);
      if ((((sieve[bit >>> 5] as number) >>> (bit & 31)) & 1) === 0 || count < LOOKED_UP) return;
      const found = owners.get(code);
      if (found === undefined) return;
      const start = starts[(count - LOOKED_UP) & 7] as number;
      for (let index = 0; index < found.length; index++) note(found[index] as Form, count, start, to, told);
    });
    return told.filter(({ from, to }) => hasVariety(text, from, to));
  }

  #learn(text: string, form: Form): void {
    let code = 0;
    for (let index = 0; index < text.length; index++) {
      code = ((code << SIX_BITS) | digitOf(text, index)) & MASK;
      if (index + 1 < LOOKED_UP) continue;
      const owners = this.#owners.get(code);
      if (owners === undefined) this.#owners.set(code, [form]);
      else if (owners.at(-1) !== form && owners.length < MOST_OWNERS) owners.push(form);
      const bit = sieved(code);
      this.#sieve[bit >>> 5] = (this.#sieve[bit >>> 5] as number) | (1 << (bit & 31));
    }
  }
}

/** The last letters and digits, from `start` to `to`, are of this form: a row of it goes on, or a new one begins. */
function note(form: Form, count: number, start: number, to: number, told: Told[]): void {
  if (form.seen === count - 1) form.told += form.each;
  else {
    form.from = start;
    form.told = form.first;
  }
  form.seen = count;
  if (form.told >= form.secret.telling) tell(told, form, to);
}

/** Of several secrets in one place the one counts of which most is told, or else the one that is known for longer. */
function tell(told: Told[], { from, told: characters, secret: { number } }: Form, to: number): void {
  const last = told[told.length - 1];
  if (last === undefined || from >= last.to) {
    told.push({ from, to, secret: number, characters });
    return;
  }
  last.to = Math.max(last.to, to);
  if (characters > last.characters) {
    last.characters = characters;
    last.secret = number;
  }
  if (from >= last.from) return;
  last.from = from;
  // A long row may have begun before several that were told meanwhile.
  for (let before = told.at(-2); before !== undefined && from < before.to; before = told.at(-2)) {
    last.from = Math.min(last.from, before.from);
    told.splice(-2, 1);
  }
}

/** A part of a secret may be a row of zeros, which are everywhere. */
function hasVariety(text: string, from: number, to: number): boolean {
  const different: number[] = [];
  for (let at = from; at < to && different.length < FEWEST_DIFFERENT; at++) {
    const value = digitOf(text, at);
    if (value < LETTERS_AND_DIGITS && !different.includes(value)) different.push(value);
  }
  return different.length === FEWEST_DIFFERENT;
}

/** The highest bits of a product that all bits of the code go into. */
function sieved(code: number): number {
  return Math.imul(code, 0x9e3779b1) >>> (32 - SIEVE_BITS);
}
