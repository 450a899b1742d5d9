/** By code: the value of a letter in either case or of a digit, NOTHING, or ESCAPE if an escape may begin there. */
const NOTHING = 255;
const ESCAPE = 254;
const VALUES = new Uint8Array(256).fill(NOTHING);
const SIGNS = '0123456789abcdefghijklmnopqrstuvwxyz';
for (const [value, sign] of [...SIGNS].entries()) {
  VALUES[sign.charCodeAt(0)] = value;
  VALUES[sign.toUpperCase().charCodeAt(0)] = value;
}

const BACKSLASH = 92;
const PERCENT = 37;
const AMPERSAND = 38;
const NUMBER_SIGN = 35;
const SEMICOLON = 59;
for (const code of [BACKSLASH, PERCENT, AMPERSAND]) VALUES[code] = ESCAPE;

/** Represents every character beyond ASCII. */
const OTHER = 128;

/** Most characters of an escape; honest texts have no longer ones. */
const LONGEST_ESCAPE = 32;

/**
 * Reads the letters and digits of a text in one pass, as 0 to 35, into an array that is at least as long. Decodes
 * escapes of JSON, URLs and HTML, also nested ones, and skips all other characters. `places`, twice as long, receives
 * the start and end of each. Returns their number.
 */
export function readPlainly(text: string, values: Uint8Array, places?: Uint32Array): number {
  writeCodes(text, values);
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const code = values[at] as number;
    let value = VALUES[code] as number;
    let next = at + 1;
    if (value === ESCAPE) {
      const undone = decodeCharacter(text, at, code);
      next = Math.floor(undone / 128);
      value = VALUES[undone % 128] as number;
    }
    if (value < ESCAPE) places?.set([at, next], 2 * count);
    // Values never overtake the codes, which they overwrite.
    values[count] = value;
    count += value < ESCAPE ? 1 : 0;
    at = next;
  }
  return count;
}

const encoder = new TextEncoder();

/** Writes one code for each character. Most texts are pure ASCII, for which one call is enough. */
function writeCodes(text: string, codes: Uint8Array): void {
  const { read, written } = encoder.encodeInto(text, codes);
  if (read === text.length && written === text.length) return;
  for (let at = 0; at < text.length; at++) codes[at] = Math.min(text.charCodeAt(at), OTHER);
}

/** Returns the values of a text's letters and digits. */
export function plainValues(text: string): Uint8Array {
  const values = new Uint8Array(text.length);
  return values.subarray(0, readPlainly(text, values));
}

/** Returns only the letters and digits, in lower case, without decoding escapes. */
export function lettersAndDigits(text: string): string {
  return text.toLowerCase().replace(/[^0-9a-z]+/g, '');
}

/**
 * Returns the end of an escape times 128, plus the code of its ASCII character; 0 for any other character, or for
 * none.
 */
function decodeCharacter(text: string, start: number, first: number): number {
  let code = first;
  let next = start + 1;
  // The result may itself begin an escape, such as %2541 or &amp;#65;
  while (code === BACKSLASH || code === PERCENT || code === AMPERSAND) {
    const undone =
      code === BACKSLASH
        ? backslash(text, next)
        : code === PERCENT
          ? percent(text, next)
          : entity(text, next);
    next = Math.floor(undone / 128);
    code = undone % 128;
  }
  return next * 128 + code;
}

function backslash(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === BACKSLASH) at++;
  const sign = text[at];
  if (sign === 'x') return parseCharacterCode(text, at, at + 1, at + 3);
  if (sign === 'u' && text[at + 1] === '{') {
    const end = text.slice(at + 2, at + 2 + LONGEST_ESCAPE).indexOf('}');
    return end < 0 ? (at + 1) * 128 : parseCharacterCode(text, at, at + 2, at + 2 + end, at + 3 + end);
  }
  if (sign === 'u') return parseCharacterCode(text, at, at + 1, at + 5);
  return (sign !== undefined && 'nrtbfv'.includes(sign) ? at + 1 : at) * 128;
}

function percent(text: string, at: number): number {
  return text[at] === 'u' || text[at] === 'U'
    ? parseCharacterCode(text, at, at + 1, at + 5)
    : parseCharacterCode(text, at, at, at + 2);
}

/** Returns the character of the hexadecimal number from `from` to `to`; if there is none, only the end `otherwise`. */
function parseCharacterCode(text: string, otherwise: number, from: number, to: number, next = to): number {
  let code = 0;
  if (to > text.length || from === to) return otherwise * 128;
  for (let at = from; at < to; at++) {
    const digit = digitOf(text, at);
    if (digit > 15) return otherwise * 128;
    code = Math.min(code * 16 + digit, 128);
  }
  return next * 128 + (code < 128 ? code : 0);
}

/** Returns 0 to 35 for the letter or digit at this place; more for anything else. */
function digitOf(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? (VALUES[unit] as number) : NOTHING;
}

function entity(text: string, start: number): number {
  if (text.charCodeAt(start) === NUMBER_SIGN) return parseNumericEntity(text, start);
  let at = start;
  while (at < start + LONGEST_ESCAPE && digitOf(text, at) < NOTHING) at++;
  if (text.charCodeAt(at) !== SEMICOLON || at === start) return start * 128;
  return (at + 1) * 128 + (text.startsWith('amp;', start) ? AMPERSAND : 0);
}

/** Accepts an entity without its semicolon. */
function parseNumericEntity(text: string, start: number): number {
  const sign = text[start + 1];
  const isHexadecimal = sign === 'x' || sign === 'X';
  const from = start + (isHexadecimal ? 2 : 1);
  const base = isHexadecimal ? 16 : 10;
  let at = from;
  let code = 0;
  for (; at < from + LONGEST_ESCAPE && digitOf(text, at) < base; at++) {
    code = Math.min(code * base + digitOf(text, at), 128);
  }
  if (at === from) return start * 128;
  return (text.charCodeAt(at) === SEMICOLON ? at + 1 : at) * 128 + (code < 128 ? code : 0);
}
