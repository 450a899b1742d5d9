import type { Exchange } from '@candleproof/law/reading/exchange';
import { expect } from '@candleproof/testing/expect';
import { measureProcessorMs } from '@candleproof/testing/processor-time';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { bodyText, redactorFor, type Secret } from './redaction.ts';

const KEY = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF';
const API_KEY: Secret = { credential: 'api-key', text: KEY };

function exchangeWith(text: string, where: Partial<Exchange['request']> = {}): Exchange {
  return {
    request: { method: 'GET', url: 'https://host/', headers: [], credential: 'none', ...where },
    response: {
      status: 200,
      statusText: '',
      httpVersion: '',
      headers: [['x-echo', text]],
      body: { text, encoding: 'utf8' },
    },
    failure: { phase: 'wait', kind: 'reset', message: `gone: ${text}` },
    timings: { total: 1 },
    startedAt: '2026-01-01T00:00:00.000Z',
  };
}

function cleanBody(text: string, ...secrets: Secret[]): string | undefined {
  return redactorFor(secrets.length === 0 ? [API_KEY] : secrets)(exchangeWith(text)).response?.body?.text;
}

function percentEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function jsonEscaped(text: string): string {
  return [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

const FORMS: readonly [name: string, write: (text: string) => string][] = [
  ['plain', (text) => text],
  ['upper case', (text) => text.toUpperCase()],
  ['lower case', (text) => text.toLowerCase()],
  ['percent-encoded where needed', encodeURIComponent],
  ['percent-encoded all over', percentEncoded],
  ['percent-encoded in capitals', (text) => percentEncoded(text).toUpperCase()],
  ['percent-encoded twice', (text) => encodeURIComponent(percentEncoded(text))],
  ['JSON string', (text) => JSON.stringify(text)],
  ['JSON in JSON', (text) => JSON.stringify(JSON.stringify(text))],
  ['JSON escapes all over', jsonEscaped],
  ['Base64', (text) => Buffer.from(text).toString('base64')],
  ['URL-safe Base64', (text) => Buffer.from(text).toString('base64url')],
  ['Base64 after one byte', (text) => Buffer.from(`x${text}y`).toString('base64')],
  ['Base64 after two bytes', (text) => Buffer.from(`u:${text}`).toString('base64')],
  ['Base64 in a query', (text) => encodeURIComponent(Buffer.from(`u:${text}`).toString('base64'))],
  ['Base64 in lower case', (text) => Buffer.from(text.toLowerCase()).toString('base64')],
];

for (const [name, write] of FORMS) {
  test(`a key is found as ${name}`, () => {
    const printable = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 });
    fc.assert(
      fc.property(printable, fc.constantFrom('', ' ', '"', '…'), (text, around) => {
        const written = write(text);
        const cleaned = cleanBody(`<${around}${written}${around}>`, { credential: 'api-key', text });
        expect(cleaned).toContain('[redacted:api-key]');
        expect(cleaned).not.toContain(written.slice(2, -3));
      }),
    );
  });
}

test('every part of an exchange is searched', () => {
  const exchange = exchangeWith(KEY, {
    url: `https://host/?key=${KEY}`,
    headers: [[`x-${KEY}`, `v ${KEY}`]],
  });
  const cleaned = redactorFor([API_KEY])(exchange);
  expect(JSON.stringify(cleaned)).not.toContain(KEY);
  expect(cleaned).toMatchObject({
    request: {
      url: 'https://host/?key=[redacted:api-key]',
      headers: [['x-[redacted:api-key]', 'v [redacted:api-key]']],
    },
    response: { headers: [['x-echo', '[redacted:api-key]']], body: { text: '[redacted:api-key]' } },
    failure: { message: 'gone: [redacted:api-key]' },
  });
});

test('no part of a secret of thousands of characters stays readable', () => {
  const draw = (length: number): string =>
    Array.from({ length }, (_, at) =>
      Math.sin(at + length)
        .toString(36)
        .slice(3, 9),
    )
      .join('')
      .slice(0, length);
  for (const length of [1023, 1025, 1030, 1200, 3000]) {
    const text = draw(length);
    const cleaned = cleanBody(`before ${text} after`, { credential: 'parameter', text });
    expect(cleaned).toMatch(/^before (\[redacted:parameter\])+ after$/);
  }
});

test('a trial key around the good key is named as the trial', () => {
  const longer: Secret = { credential: 'trial:one-more-character', text: `${KEY}x` };
  const shorter: Secret = { credential: 'trial:missing-last-character', text: KEY.slice(0, -1) };
  const text = [KEY, longer.text, shorter.text].join(' ');
  expect(cleanBody(text, API_KEY, shorter, longer)).toBe(
    '[redacted:api-key] [redacted:trial:one-more-character] [redacted:trial:missing-last-character]',
  );
});

test('a trial key that differs in case alone is distinguished', () => {
  const swapped: Secret = { credential: 'trial:upper-case', text: KEY.toUpperCase() };
  expect(cleanBody(`${KEY} ${KEY.toUpperCase()} ${KEY.toLowerCase()}`, API_KEY, swapped)).toMatch(
    /^\[redacted:api-key\] \[redacted:trial:upper-case\] \[redacted:/,
  );
});

test('a secret within a marker does not spoil the marker', () => {
  expect(cleanBody(KEY, API_KEY, { credential: 'trial:word', text: 'redacted' })).toBe('[redacted:api-key]');
});

test('short trial keys change nothing but the key header', () => {
  const short: Secret = { credential: 'trial:one-character', text: '1' };
  const empty: Secret = { credential: 'trial:empty', text: '' };
  const exchange = exchangeWith('{"open":101}', {
    credential: 'trial:one-character',
    headers: [['X-API-Key', '1']],
  });
  const cleaned = redactorFor([short, empty])(exchange);
  expect(cleaned.request.headers).toEqual([['X-API-Key', '[redacted:trial:one-character]']]);
  expect(cleaned.response).toEqual(exchange.response);
});

test('a body that is no UTF-8 is searched as bytes', () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(`key=${KEY};`), Buffer.from([0xfe])]);
  const exchange = exchangeWith('x');
  const body = { ...bodyText(bytes), decodedBytes: bytes.length };
  const cleaned = redactorFor([API_KEY])({
    ...exchange,
    response: { status: 200, statusText: '', httpVersion: '', headers: [], body },
  });
  const { text, encoding, decodedBytes } = cleaned.response?.body ?? {};
  expect([encoding, decodedBytes]).toEqual(['base64', bytes.length]);
  const read = Buffer.from(text ?? '', 'base64');
  expect(read.toString('latin1')).toBe('\xff\x00key=[redacted:api-key];\xfe');
});

test('texts without a secret stay as they are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.includes(KEY));
      expect(cleanBody(text)).toBe(text);
    }),
  );
});

test('a body made to be slow to search is searched in time', () => {
  const spent = measureProcessorMs(() => {
    for (const filling of ['\\', '%25', '%', 'a', KEY.slice(0, -1)]) {
      cleanBody(
        filling.repeat(Math.ceil(200_000 / filling.length)),
        { credential: 'api-key', text: `\\%${KEY}` },
        API_KEY,
      );
    }
  });
  expect(spent).toBeLessThan(5000);
});

test('a telling part of a key is kept back, a short one is not', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.integer({ min: 12, max: 32 }), fc.nat(40), (start, length, place) => {
      const key = 'abcdefghijklmnopqrstuvwxyz012345';
      const before = '7'.repeat(place);
      const text = `<${before}${key.slice(start, start + length)}>`;
      const { response } = redactorFor([{ credential: 'api-key', text: key }])(exchangeWith(text));
      expect(response?.body?.text).toBe(`<${before}[redacted:api-key]>`);
    }),
  );
  const { response } = redactorFor([{ credential: 'api-key', text: 'abcdefghijklmnopqrstuvwxyz012345' }])(
    exchangeWith('abcdefghijk'),
  );
  expect(response?.body?.text).toBe('abcdefghijk');
});

test('a part of a key of few different signs is kept back wherever eight of it are varied', () => {
  const keys = fc.string({ unit: fc.constantFrom(...'aaabc0'), minLength: 32, maxLength: 32 });
  const isVaried = (part: string): boolean =>
    Array.from(part, (_, at) => part.slice(at, at + 8)).some(
      (window) => window.length === 8 && new Set(window).size > 3,
    );
  fc.assert(
    fc.property(keys, fc.nat(20), fc.nat(40), (key, start, place) => {
      const part = key.slice(start, start + 12);
      fc.pre(isVaried(part));
      const text = `<${'7'.repeat(place)}${part}>`;
      const { response } = redactorFor([{ credential: 'api-key', text: key }])(exchangeWith(text));
      expect(response?.body?.text).not.toContain(part);
    }),
  );
});

test('a key is found in a text with signs beyond ASCII, at its place', () => {
  const key = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF';
  const { response } = redactorFor([{ credential: 'api-key', text: key }])(exchangeWith(`ŁÄ€😀 ${key} Ł`));
  expect(response?.body?.text).toBe('ŁÄ€😀 [redacted:api-key] Ł');
});

test('a key backwards or in hexadecimal digits is kept back', () => {
  const backwards = [...KEY].reverse().join('');
  const hex = Buffer.from(KEY).toString('hex');
  expect(cleanBody(`${backwards} ${hex} ${hex.toUpperCase()}`)).toBe(
    '[redacted:api-key] [redacted:api-key] [redacted:api-key]',
  );
});
