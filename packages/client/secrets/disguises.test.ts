import type { Exchange } from '@candleproof/law/reading/exchange';
import { expect } from '@candleproof/testing/expect';
import { measureProcessorMs } from '@candleproof/testing/processor-time';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { disguises, findShownPart } from '../testing/disguises.ts';
import { redactorFor } from './redaction.ts';

const signs = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');
const keys = fc.string({ unit: signs, minLength: 32, maxLength: 32 }).filter((key) => new Set(key).size > 12);

const around = fc.string({ unit: fc.constantFrom(...' "<>,;=()[]{}'), maxLength: 4 });

function answering(text: string, body = text): Exchange {
  return {
    request: { method: 'GET', url: 'https://host/', headers: [], credential: 'api-key' },
    response: {
      status: 200,
      statusText: text,
      httpVersion: 'HTTP/1.1',
      headers: [
        [`x-${text}`, 'a'],
        ['x-echo', text],
      ],
      body: { text: body, encoding: 'utf8' },
    },
    failure: { phase: 'receive', kind: 'truncated', message: text },
    timings: { total: 1 },
    startedAt: '2026-01-01T00:00:00.000Z',
  };
}

for (const [name, disguise] of Object.entries(disguises)) {
  test(`no part of a key that comes back ${name} is kept`, () => {
    fc.assert(
      fc.property(keys, around, (key, other) => {
        const text = `${other}${disguise(key)}${other}`;
        expect(findShownPart(key, text)).toBeDefined();
        const { response, failure } = redactorFor([{ credential: 'api-key', text: key }])(answering(text));
        const kept = [
          response?.statusText,
          response?.headers.flat().join('\n'),
          response?.body?.text,
          failure?.message,
        ];
        for (const text of kept) expect([text, findShownPart(key, text ?? '')]).toEqual([text, undefined]);
      }),
      { numRuns: 8 },
    );
  });
}

const layers: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(`k=${text}`).toString('base64url'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  backwards: (text) => [...text].reverse().join(''),
  'UTF-16 in Base64': (text) => Buffer.from(text, 'utf16le').toString('base64'),
};

test('a key that is encoded two or three times, in any order, is found', () => {
  const name = fc.constantFrom(...Object.keys(layers));
  fc.assert(
    fc.property(keys, fc.array(name, { minLength: 2, maxLength: 3 }), (key, names) => {
      const text = names.reduce((inner, name) => layers[name]?.(inner) ?? inner, key);
      const { response } = redactorFor([{ credential: 'api-key', text: key }])(answering(`{"a":"${text}"}`));
      const kept = response?.body?.text ?? '';
      expect([names, kept.includes('[redacted:api-key]')]).toEqual([names, true]);
      expect(kept).not.toContain(text.slice(-24));
    }),
  );
});

test('a text that decodes to itself again and again is searched in bounded time', {
  tag: '@endurance',
}, () => {
  const redact = redactorFor([{ credential: 'api-key', text: 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF' }]);
  const text = Buffer.from(Buffer.from('A'.repeat(4_000_000)).toString('base64')).toString('base64');
  expect(measureProcessorMs(() => redact(answering('', text)))).toBeLessThan(4000);
});

test('digits that resemble short parts of a key in one form after another are no key', () => {
  const key = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF';
  const hex = Buffer.from(key).toString('hex');
  const codes = [...Buffer.from(key)].join('');
  const body = JSON.stringify(
    [0, 6, 12, 18, 24, 30].map((at) => ({ a: hex.slice(at, at + 6), b: codes.slice(at + 20, at + 26) })),
  );
  const { response } = redactorFor([{ credential: 'api-key', text: key }])(answering('', body));
  expect(response?.body?.text).toBe(body);
});

test('the digits of a market are no key, whichever key it is', () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 2 ** 31 - 1 }), (key, seed) => {
      const body = marketDigits(seed);
      expect(
        redactorFor([{ credential: 'api-key', text: key }])(answering('', body)).response?.body?.text,
      ).toBe(body);
    }),
    { numRuns: 20 },
  );
});

/** Returns half a megabyte of rows of random numbers. */
function marketDigits(seed: number): string {
  let state = seed;
  const digits = (): string => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return String((state >>> 0) * 7919);
  };
  return JSON.stringify(
    Array.from({ length: 6000 }, () => ({
      open: Number(`0.${digits()}`),
      volume: digits() + digits(),
      t: Number(digits()),
    })),
  );
}

test('what merely resembles a key stays as it is', () => {
  const key = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF';
  const redact = redactorFor([{ credential: 'api-key', text: key }]);
  for (const text of [
    'aB3dE5gH7jK',
    '{"open":0.000000000000,"high":1e12,"id":"0.0.123456","icon":"/images/tokens/ab3de.png"}',
    `first ${key.slice(0, 6)}, and then ${key.slice(6, 12)}`,
    '%%%% \\\\ &amp; &#x; &#; \\u \\u{ \\u{} \\x %u %2 &a',
  ]) {
    expect(redact(answering(text)).response?.body?.text).toBe(text);
  }
});

test('a body of eight megabytes is searched for seven keys in half a second', () => {
  const body = '{"poolId":1,"open":0.123456789,"startTimestampSeconds":1700000000,"a":"\\u00e9"},'.repeat(
    100_000,
  );
  const secrets = Array.from({ length: 7 }, (_, index) => ({
    credential: 'api-key' as const,
    text: `aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1d${index}`,
  }));
  const redact = redactorFor(secrets);
  redact(answering('warm'));
  expect(measureProcessorMs(() => redact(answering('', body)))).toBeLessThan(500);
});
