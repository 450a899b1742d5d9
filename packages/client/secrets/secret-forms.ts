import { lettersAndDigits } from './plain-characters.ts';

/** One way to write a secret. */
export type SecretForm = {
  /** The letters and digits of this form, in lower case. */
  readonly text: string;
  /** Letters or digits of this form for each character of the secret. */
  readonly perCharacter: number;
  /** Fewest letters or digits in a row that reveal enough to be redacted. */
  readonly telling: number;
};

/** Fewest letters or digits of a form; fewer in a row may occur by chance. */
const FEWEST = 8;

/** Fewest different letters or digits; rows of zeros, for example, are common. */
export const FEWEST_DIFFERENT = 4;

/** Fewest characters of a secret in a row that are redacted. */
const TELLING = 12;

type Spelling = {
  readonly spell: (text: string) => readonly string[];
  readonly perCharacter: number;
  /** Characters that are lost if a part of the secret begins or ends within an encoded character. */
  readonly cutOff?: number;
};

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** Decimal codes have two or three digits. In hexadecimal, the byte orders of UTF-16 differ only at the ends. */
const spellings: readonly Spelling[] = [
  { spell: (text) => [text], perCharacter: 1 },
  { spell: (text) => [Buffer.from(text).toString('hex')], perCharacter: 2 },
  { spell: (text) => [utf16(text).toString('hex')], perCharacter: 4, cutOff: 2 },
  {
    spell: (text) => [[...Buffer.from(text)].map((byte) => `0x${byte.toString(16)}`).join('')],
    perCharacter: 4,
  },
  { spell: (text) => [[...Buffer.from(text)].join('')], perCharacter: 2 },
  { spell: (text) => base64Anywhere(Buffer.from(text)), perCharacter: 4 / 3, cutOff: 2 },
  {
    spell: (text) => [utf16(text), utf16(text).swap16()].flatMap(base64Anywhere),
    perCharacter: 8 / 3,
    cutOff: 4,
  },
];

/** Returns the form of a secret that is repeated without disguise: its letters and digits. */
export function plainForm(secret: string): SecretForm[] {
  const text = lettersAndDigits(secret);
  return isVaried(text) ? [{ text, perCharacter: 1, telling: text.length }] : [];
}

/** Lists the forms in which a secret may be returned, forwards and backwards, except those that may occur by chance. */
export function listForms(secret: string): SecretForm[] {
  const directions = [secret, [...secret].reverse().join('')];
  const written = directions.flatMap((direction) => [
    direction,
    direction.toLowerCase(),
    direction.toUpperCase(),
  ]);
  return spellings.flatMap(({ spell, perCharacter, cutOff = 0 }) => {
    const texts = [...new Set(written.flatMap(spell).map(lettersAndDigits))].filter(isVaried);
    const telling = Math.floor(TELLING * perCharacter) - cutOff;
    return texts.map((text) => ({ text, perCharacter, telling: Math.min(telling, text.length) }));
  });
}

/** Returns whether a secret has too few letters and digits for the search, or contains the start of an escape. */
export function needsOtherForms(secret: string): boolean {
  return !isVaried(lettersAndDigits(secret)) || /[\\%&]/.test(secret);
}

/** Returns whether a text has enough different letters and digits to be distinguished from ordinary text. */
function isVaried(text: string): boolean {
  return text.length >= FEWEST && new Set(text).size >= FEWEST_DIFFERENT;
}

/**
 * Matches a text in any letter case, with its characters percent-encoded or JSON-escaped, also several times.
 * Repetitions are bounded, because an answer of backslashes would otherwise cost quadratic time.
 */
export function looseForm(text: string): RegExp {
  return new RegExp([...text].map(looseCharacter).join(''), 'gi');
}

const ESCAPING_BACKSLASHES = 8;
const PERCENT_LAYERS = 3;

function looseCharacter(character: string): string {
  const percent = [...Buffer.from(character)].map((byte) => `%(?:25){0,${PERCENT_LAYERS}}${hex(byte, 2)}`);
  const escaped = `\\\\{1,${ESCAPING_BACKSLASHES}}u${hex(character.charCodeAt(0), 4)}`;
  const backslashes = /[A-Za-z0-9]/.test(character) ? '' : `\\\\{0,${ESCAPING_BACKSLASHES}}`;
  const forms = [backslashes + literal(character), percent.join(''), escaped];
  return `(?:${(character === ' ' ? [...forms, '\\+'] : forms).join('|')})`;
}

function literal(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  return Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`).join(
    '',
  );
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** Returns the three encodings that a secret has in longer texts, depending on its offset modulo three bytes. */
function base64Anywhere(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const isMixedWithNext = (offset + bytes.length) % 3 !== 0;
    return encoded.slice(offset === 0 ? 0 : offset + 1, isMixedWithNext ? -1 : undefined);
  });
}
