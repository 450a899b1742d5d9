import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { Exchange } from '../contract/exchange.ts';
import { redactorFor } from './redaction.ts';
import { disguises, shownOf } from './testing/disguises.ts';

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
        expect(shownOf(key, text)).toBeDefined();
        const { response, failure } = redactorFor([{ credential: 'api-key', text: key }])(answering(text));
        const kept = [
          response?.statusText,
          response?.headers.flat().join('\n'),
          response?.body?.text,
          failure?.message,
        ];
        for (const each of kept) expect([each, shownOf(key, each ?? '')]).toEqual([each, undefined]);
      }),
      { numRuns: 40 },
    );
  });
}

test('parts of a key, each too short to tell of it, are kept back where they make it up together', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const middle = Buffer.from(key.slice(11, 21)).toString('hex');
      const { response } = redactorFor([{ credential: 'api-key', text: key }])(
        answering(`<${key.slice(0, 11)}${middle}${key.slice(21)}>`),
      );
      expect(response?.body?.text).toBe('<[redacted:api-key]>');
    }),
  );
});

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
  const before = process.cpuUsage();
  redact(answering('', body));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(500);
});
