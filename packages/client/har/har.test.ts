import type { Exchange, Recording } from '@candleproof/law/reading/exchange';
import { expect } from '@candleproof/testing/expect';
import fc from 'fast-check';
import { KeptBodies } from '../send/kept-bodies.ts';
import { KEY, test } from '../testing/targets.ts';
import { parseHar, toHar } from './har.ts';
import { HarError } from './har-node.ts';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const size = fc.nat();
const ms = fc.double({ min: 0, max: 1e6, noNaN: true });
const headers = fc.array(fc.tuple(fc.constantFrom('Date', 'x-a', 'X-A', 'content-type', 'location'), text), {
  maxLength: 4,
});
const phase = fc.constantFrom('dns', 'connect', 'tls', 'send', 'wait', 'receive');

const response = fc.record(
  {
    status: fc.integer({ min: 100, max: 999 }),
    statusText: text,
    httpVersion: fc.constantFrom('HTTP/1.1', 'HTTP/1.0'),
    headers,
    body: fc.record(
      { text, encoding: fc.constantFrom('utf8', 'base64'), decodedBytes: size, wireBytes: size },
      { requiredKeys: ['text', 'encoding'] },
    ),
  },
  { requiredKeys: ['status', 'statusText', 'httpVersion', 'headers'] },
);
const recorder = fc.record(
  {
    place: fc.constantFrom('log.entries[0]', 'log.entries[17] of a.har'),
    fromCache: fc.constant(true as const),
    headersLeftOut: fc.constant(true as const),
    timesUnknown: fc.constant(true as const),
  },
  { requiredKeys: ['place'] },
);
const failure = fc.record({
  phase,
  kind: fc.constantFrom(
    'unreachable',
    'refused',
    'certificate',
    'timeout',
    'reset',
    'truncated',
    'too-large',
    'protocol',
  ),
  message: text,
});

const tls = fc.record({
  version: fc.constantFrom('TLSv1.2', 'TLSv1.3'),
  certificateEnd: fc.constantFrom('2026-11-01T00:00:00.000Z', '1999-12-31T23:59:59.000Z'),
});

const exchange = fc
  .record(
    {
      request: fc.record({
        method: fc.constantFrom('GET', 'OPTIONS'),
        url: fc.oneof(fc.webUrl({ withQueryParameters: true }), text),
        headers,
        credential: fc.constantFrom('api-key', 'none', 'unknown', 'trial:empty'),
      }),
      timings: fc.record(
        { dns: ms, connect: ms, tls: ms, send: ms, wait: ms, receive: ms, total: ms },
        { requiredKeys: ['total'] },
      ),
      startedAt: fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
        .map((date) => date.toISOString()),
      connection: fc.record(
        { id: fc.nat(), reused: fc.boolean(), remoteAddress: fc.ipV6(), tls },
        { requiredKeys: ['id', 'reused'] },
      ),
      sentBeside: fc.boolean(),
      recorder,
      outcome: fc.oneof(fc.record({ response }), fc.record({ failure }), fc.record({ response, failure })),
    },
    { requiredKeys: ['request', 'timings', 'startedAt', 'outcome'] },
  )
  .map(({ outcome, ...rest }) => ({ ...rest, ...outcome }) as Exchange);

const pools = fc.array(fc.oneof(fc.nat(), fc.string()), { maxLength: 3 });
const recording: fc.Arbitrary<Recording> = fc.record({
  target: fc.record(
    {
      name: text,
      baseUrl: fc.webUrl(),
      pools: fc.record({ v1: pools, v2: pools }),
      keyless: fc.boolean(),
      soleUser: fc.boolean(),
      gaps: fc.constant('idle' as const),
    },
    { requiredKeys: ['name', 'baseUrl', 'pools', 'keyless', 'soleUser'] },
  ),
  seed: fc.integer(),
  exchanges: fc.array(exchange, { maxLength: 5 }),
});

test('a recording is read back exactly as it was written', () => {
  fc.assert(
    fc.property(recording, (written) => {
      const read = parseHar([...toHar(written, '1.0.0')].join(''), 'x.har');
      expect(read).toEqual({ ...JSON.parse(JSON.stringify(written)), skipped: [] });
    }),
  );
});

test('what is written keeps to the arithmetic of HAR', () => {
  fc.assert(
    fc.property(recording, (written) => {
      const { log } = JSON.parse([...toHar(written, '1.0.0')].join(''));
      expect(log).toMatchObject({ version: '1.2', creator: { name: 'Candleproof', version: '1.0.0' } });
      for (const {
        timings,
        response: { status },
      } of log.entries) {
        for (const name of ['send', 'wait', 'receive']) expect(timings[name]).toBeGreaterThanOrEqual(0);
        expect(timings.connect).toBeGreaterThanOrEqual(timings.connect === -1 ? -1 : timings.ssl);
        expect(typeof status).toBe('number');
      }
    }),
  );
});

test('no form of a key reaches the file of a recording', async ({ serve, connectTo }) => {
  const forms = [
    KEY,
    KEY.toLowerCase(),
    KEY.toUpperCase(),
    [...KEY].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
    [...KEY].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join(''),
    Buffer.from(KEY).toString('base64'),
    Buffer.from(`user:${KEY}`).toString('base64url'),
  ];
  const target = await serve((request, response) => {
    const echo =
      request.url === '/binary'
        ? Buffer.concat([Buffer.from([0xff]), Buffer.from(forms.join())])
        : forms.join('\n');
    response.writeHead(401, { 'x-echo': forms.join('; '), 'set-cookie': [`k=${KEY}`] }).end(echo);
  });
  const client = connectTo(target);
  const trialKey = `${KEY.slice(0, -1)}!`;
  const exchanges = [
    await client.send({ path: `/tokens?key=${KEY}`, credential: 'api-key' }),
    await client.send({ path: '/binary', credential: 'api-key' }),
    await client.send({
      path: '/',
      credential: 'trial:last-character-changed',
      trialKey,
      headers: [['x-note', KEY]],
    }),
  ];
  const facts = {
    name: 'x',
    baseUrl: target.baseUrl,
    pools: { v1: [], v2: [] },
    keyless: false,
    soleUser: true,
  };
  const har = [...toHar({ target: facts, seed: 1, exchanges }, '1.0.0')].join('');
  const binary = Buffer.from(exchanges[1]?.response?.body?.text ?? '', 'base64').toString('latin1');
  expect(binary).toContain('[redacted:api-key]');
  for (const form of forms) {
    expect(har + binary).not.toContain(form.slice(8));
    expect(har).not.toContain(JSON.stringify(form).slice(9, -1));
  }
  expect(parseHar(har, 'x.har').exchanges).toEqual(exchanges);
});

const BROKEN: [name: string, file: string, message: RegExp][] = [
  ['cut JSON', '{"log":\n {"entries": [', /^x\.har: line 2, column 15 is where .* again\.$/],
  ['JSON of another kind', '[]', /the file must be an object/],
  ['no entries', '{"log":{}}', /log\.entries is missing: it must be an array/],
  [
    'an entry without an address',
    '{"log":{"entries":[{"request":{"method":"GET"}}]}}',
    /log\.entries\[0\]\.request\.url is missing/,
  ],
  [
    'an address of another type',
    '{"log":{"entries":[{"request":{"url":5}}]}}',
    /log\.entries\[0\]\.request\.url must be a string/,
  ],
  ['two lists of entries', '{"log":{"entries":[{}],"entries":[]}}', /log\.entries is there twice/],
  ['entries before a second log', '{"log":{"entries":[{}]},"log":{}}', /log\.entries is missing/],
  ['entries that end in a comma', '{"log":{"entries":[{"request":{"url":"x"}},]}}', /line 1, column 44 /],
  ['an entry that is none', '{"log":{"entries":[null]}}', /log\.entries\[0\]\.request\.url is missing/],
  [
    'headers that are none',
    '{"log":{"entries":[{"request":{"url":"x","headers":{}}}]}}',
    /request\.headers must be an array/,
  ],
  [
    'members of ours cut off',
    '{"log":{"entries":[{"request":{"url":"x"},"_candleproof":{}}]}}',
    /method is missing/,
  ],
];

for (const [name, file, message] of BROKEN) {
  test(`a file with ${name} is refused by its place`, () => {
    expect(() => parseHar(file, 'x.har')).toThrow(HarError);
    expect(() => parseHar(file, 'x.har')).toThrow(message);
  });
}

test('an error about a broken file quotes none of it', () => {
  expect(() => parseHar(`{"log": ${KEY}`, 'x.har')).toThrow(/^(?!.*aB3dE5).*line 1, column 9/);
});

test('bodies beyond the memory of all are left out of a recording of others, and that is marked', () => {
  const entries = [1, 2].map(() => ({
    request: { url: 'https://host/tokens' },
    response: { status: 200, content: { text: '[]' } },
  }));
  const text = JSON.stringify({ 'log"': [1], log: { pages: [{ entries: [2] }], entries } });
  const { exchanges } = parseHar(text, 'x.har', { bodies: new KeptBodies(70) });
  expect(exchanges.map(({ response, recorder }) => [response?.body?.text, recorder?.bodyOverLimit])).toEqual([
    ['[]', undefined],
    [undefined, true],
  ]);
});
