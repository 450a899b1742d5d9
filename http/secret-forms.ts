/**
 * The spellings in which a secret may come back. Repetitions are bounded: an answer made of backslashes would
 * otherwise cost quadratic time.
 */
const ESCAPING_BACKSLASHES = 8;
const PERCENT_LAYERS = 3;

/** Finds the text as it stands. */
export function exactForm(text: string): RegExp {
  return new RegExp([...text].map(literal).join(''), 'g');
}

/** Characters in a row that tell so much of a secret that they are kept back too. */
const TELLING = 12;

/** Finds any telling part of the text, as long as it goes on; a short text has none. */
export function partForm(text: string): RegExp | undefined {
  const characters = [...text].map(literal);
  const starts = characters.slice(0, Math.max(0, characters.length - TELLING + 1));
  if (starts.length === 0) return undefined;
  const parts = starts.map((_, start) => {
    const rest = characters.slice(start + TELLING).reduceRight((tail, each) => `(?:${each}${tail})?`, '');
    return characters.slice(start, start + TELLING).join('') + rest;
  });
  return new RegExp(parts.join('|'), 'g');
}

/** The same for the text written backwards. */
export function reversedPartForm(text: string): RegExp | undefined {
  return partForm([...text].reverse().join(''));
}

/** Finds the bytes of the text as hexadecimal digits. */
export function hexForm(text: string): RegExp {
  return new RegExp(Buffer.from(text).toString('hex'), 'gi');
}

/** Finds the text in any letter case, its characters percent-encoded or JSON-escaped, also several times over. */
export function looseForm(text: string): RegExp {
  return new RegExp([...text].map(looseCharacter).join(''), 'gi');
}

/** Finds the Base64 of the text, of its upper or its lower case, standard or URL-safe, alone or amid other data. */
export function base64Form(text: string): RegExp {
  const cases = new Set([text, text.toLowerCase(), text.toUpperCase()]);
  const spellings = [...cases].flatMap((each) =>
    [0, 1, 2].flatMap((offset) => base64At(Buffer.from(each), offset)),
  );
  return new RegExp(spellings.map((each) => [...each].map(base64Character).join('')).join('|'), 'g');
}

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

/** Three bytes make four characters: by its place in a longer text the same secret has three encodings. */
function base64At(bytes: Buffer, offset: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const unpadded = encoded.replace(/=+$/, '');
  const mixedWithNext = (offset + bytes.length) % 3 !== 0;
  const own = unpadded.slice(offset === 0 ? 0 : offset + 1, mixedWithNext ? -1 : undefined);
  return offset === 0 && encoded !== own ? [encoded, own] : [own];
}

function base64Character(character: string): string {
  if (character === '+') return '(?:\\+|-|%2[Bb]|\\\\u002[Bb])';
  if (character === '/') return '(?:\\\\{0,2}/|_|%2[Ff]|\\\\u002[Ff])';
  return character === '=' ? '(?:=|%3[Dd]|\\\\u003[Dd])?' : character;
}
