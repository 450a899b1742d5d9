/** Ways, by name, in which a target may return a key so that a plain search for it fails. */
export const disguises: Readonly<Record<string, (key: string) => string>> = {
  'every eleventh character as \\uXXXX': (key) => everyNth(key, 11, (character) => `\\u${hex(character, 4)}`),
  'every third character as \\xXX': (key) => everyNth(key, 3, (character) => `\\x${hex(character, 2)}`),
  'all characters as \\u{X}': (key) => everyNth(key, 1, (character) => `\\u{${hex(character, 2)}}`),
  'JSON escapes amid JSON': (key) =>
    JSON.stringify(everyNth(key, 5, (character) => `\\u${hex(character, 4)}`)),
  'decimal HTML entities': (key) => everyNth(key, 7, (character) => `&#${character.charCodeAt(0)};`),
  'hexadecimal HTML entities': (key) => everyNth(key, 2, (character) => `&#x${hex(character, 2)};`),
  'HTML entities that are escaped': (key) =>
    everyNth(key, 4, (character) => `&amp;#${character.charCodeAt(0)};`),
  'blanks of HTML between': (key) => [...key].join('&nbsp;'),
  'percent-encoded in parts': (key) => everyNth(key, 6, (character) => `%${hex(character, 2)}`),
  'percent-encoded twice in parts': (key) => everyNth(key, 3, (character) => `%25${hex(character, 2)}`),
  'in hexadecimal digits': (key) => Buffer.from(key).toString('hex'),
  'in hexadecimal digits with colons': (key) =>
    Buffer.from(key).toString('hex').match(/../g)?.join(':') ?? '',
  'as hexadecimal numbers': (key) => [...key].map((character) => `0x${hex(character, 2)}`).join(', '),
  'as decimal codes': (key) => [...key].map((character) => character.charCodeAt(0)).join(','),
  'blanks between': (key) => [...key].join(' '),
  'dashes between groups': (key) => key.match(/.{4}/g)?.join('-') ?? '',
  'colons between': (key) => key.match(/../g)?.join(':') ?? '',
  'line breaks of JSON between': (key) => key.match(/.{5}|.+/g)?.join('\\n') ?? '',
  'quotes and commas between': (key) => JSON.stringify(key.match(/.{3}|.+/g)),
  'zero-width blanks between': (key) => [...key].join('\u200b'),
  backwards: reverse,
  'backwards with dots': (key) => [...reverse(key)].join('.'),
  Base64: (key) => Buffer.from(key).toString('base64'),
  'Base64 amid other data': (key) => Buffer.from(`{"k":"${key}"}`).toString('base64'),
  'Base64 in lines': (key) =>
    Buffer.from(`key ${key}`)
      .toString('base64')
      .match(/.{16}|.+/g)
      ?.join('\\r\\n') ?? '',
  'Base64 backwards': (key) => Buffer.from(reverse(key)).toString('base64url'),
  'Base64 of UTF-16': (key) => Buffer.from(key, 'utf16le').toString('base64'),
  'Base64 of big-endian UTF-16': (key) => Buffer.from(`x${key}`, 'utf16le').swap16().toString('base64'),
  'UTF-16': (key) => Buffer.from(key, 'utf16le').toString('latin1'),
  'UTF-16 in hexadecimal digits': (key) => Buffer.from(key, 'utf16le').toString('hex'),
  'without its last character': (key) => key.slice(0, -1),
  'but for its last character, every eleventh as \\uXXXX': (key) =>
    everyNth(key.slice(0, -1), 11, (character) => `\\u${hex(character, 4)}`),
  'in capitals': (key) => key.toUpperCase(),
  'twelve characters of it': (key) => key.slice(9, 21),
};

/** Finds twelve characters in a row of a key, forwards or backwards, in the usual decodings of a text. */
export function findShownPart(key: string, text: string): string | undefined {
  const windows = [key, reverse(key)].flatMap((text) =>
    Array.from({ length: key.length - 11 }, (_, at) => text.slice(at, at + 12).toLowerCase()),
  );
  const views = [...decodings(text)].map((decoding) => decoding.replace(/[^0-9a-zA-Z]/g, '').toLowerCase());
  return windows.find((window) => views.some((view) => view.includes(window)));
}

function* decodings(text: string): Generator<string> {
  const plain = decodeEscapes(decodeEscapes(decodeEscapes(text)));
  yield plain;
  yield text.replace(/\\+[nr]/g, '');
  for (const [digits] of text.replace(/0x|[^0-9a-zA-Z]/g, '').matchAll(/(?:[0-9a-f]{2}){12,}/gi)) {
    yield Buffer.from(digits, 'hex').toString('latin1');
    yield Buffer.from(`0${digits}`, 'hex').toString('latin1');
  }
  for (const [codes] of text.matchAll(/(?:\d{2,3}\W+){11,}\d{2,3}/g)) {
    yield String.fromCharCode(...codes.split(/\W+/).map(Number));
  }
  for (const [run] of text.replace(/\\+[rn]/g, '').matchAll(/[0-9a-zA-Z+/_-]{16,}/g)) {
    for (const lead of ['', 'A', 'AA', 'AAA']) yield Buffer.from(lead + run, 'base64').toString('latin1');
  }
}

function decodeEscapes(text: string): string {
  return text
    .replace(
      /\\+u\{([0-9a-f]+)\}|\\+u([0-9a-f]{4})|\\+x([0-9a-f]{2})|%([0-9a-f]{2})|&#x([0-9a-f]+);/gi,
      (_, ...all) =>
        String.fromCharCode(
          Number.parseInt(
            all.slice(0, 5).find((found) => found !== undefined),
            16,
          ),
        ),
    )
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&amp;', '&')
    .replaceAll('&nbsp;', ' ');
}

function everyNth(key: string, nth: number, write: (character: string) => string): string {
  return [...key]
    .map((character, index) => (index % nth === nth - 1 ? write(character) : character))
    .join('');
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0');
}

function reverse(text: string): string {
  return [...text].reverse().join('');
}
