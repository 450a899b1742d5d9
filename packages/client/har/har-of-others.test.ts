import { gzipSync } from 'node:zlib';
import { measureProcessorMs } from '@candleproof/testing/processor-time';
import { expect, test } from '@playwright/test';
import { type HarEntry, readEntries, readEntry } from '../testing/har-entries.ts';
import { parseHar } from './har.ts';

const KEY = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF';

const CHROME: HarEntry = {
  _initiator: { type: 'script' },
  _priority: 'High',
  connection: '12345',
  startedDateTime: '2026-02-01T12:00:00.123+02:00',
  time: 118.5,
  request: {
    method: 'GET',
    url: `https://host/tokens?k=${KEY}`,
    httpVersion: 'http/2.0',
    headers: [
      { name: ':authority', value: 'host' },
      { name: 'x-api-key', value: KEY },
    ],
    queryString: [],
    cookies: [],
  },
  response: {
    status: 200,
    statusText: '',
    httpVersion: 'http/2.0',
    headers: [
      { name: ':status', value: '200' },
      { name: 'content-type', value: 'application/json' },
    ],
    content: {
      size: 36,
      mimeType: 'application/json',
      text: Buffer.from(`["${KEY}"]`).toString('base64'),
      encoding: 'base64',
    },
    bodySize: 25,
    _transferSize: 300,
    _error: null,
  },
  timings: {
    blocked: 8.5,
    dns: 10,
    connect: 50,
    ssl: 30,
    send: 0.5,
    wait: 40,
    receive: 9.5,
    _blocked_queueing: 1,
  },
};

test('bodies that recorders keep in gzip, whole or in chunks, are read', () => {
  const text = JSON.stringify(Array.from({ length: 300 }, (_, at) => [at, 'candle']));
  const packed = gzipSync(text);
  const [half, rest] = [packed.subarray(0, 300), packed.subarray(300)];
  const read = (content: object) => {
    const { response, ...entry } = CHROME;
    return readEntry({ ...entry, response: { ...(response as object), content } }).response?.body?.text;
  };
  const size = text.length;
  expect(read({ size, encoding: 'base64', text: packed.toString('base64') })).toBe(text);
  for (const digits of ['base64', 'hex'] as const) {
    const chunks = [half, rest].map((chunk) => chunk.toString(digits));
    expect(read({ size, text: JSON.stringify(chunks), _isBinary: true }), digits).toBe(text);
  }
});

test('a text of a URL that is named as plain is not taken for a secret', () => {
  const pool = '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640';
  const path = `/api/v2/networks/eth/pools/${pool}/ohlcv/hour`;
  const read = (query: string, plain: string[] = []): string | undefined => {
    const request = { ...(CHROME.request as object), url: `https://host${path}?${query}`, headers: [] };
    const text = JSON.stringify({ log: { entries: [{ ...CHROME, request }] } });
    return parseHar(text, 'browser.har', { listPlain: () => plain }).exchanges[0]?.request.url;
  };
  expect(read('before_timestamp=1760918400', [pool])).toBe(`https://host${path}?before_timestamp=1760918400`);
  expect(read('token=secret', [pool])).toBe(`https://host${path}?token=[redacted:parameter]`);
  expect(read('startTime=1760918400000')).toMatch(/\[redacted:parameter\].*startTime=1760918400000$/);
});

test('a key that the document has in a place of its own is concealed everywhere', () => {
  const request = { ...(CHROME.request as object), url: 'https://host/bars?appid=quiet-word', headers: [] };
  const response = {
    ...(CHROME.response as object),
    content: { text: 'appid=quiet-word', mimeType: 'text/plain' },
  };
  const text = JSON.stringify({ log: { entries: [{ ...CHROME, request, response }] } });
  const listKeys = (): string[] => ['quiet-word'];
  expect(JSON.stringify(parseHar(text, 'browser.har').exchanges)).toContain('quiet-word');
  expect(JSON.stringify(parseHar(text, 'browser.har', { listKeys }).exchanges)).not.toContain('quiet-word');
});

test("a browser's entry is read with its key concealed", () => {
  const [exchange] = readEntries(CHROME);
  expect(exchange).toEqual({
    request: {
      method: 'GET',
      url: 'https://host/tokens?k=[redacted:api-key]',
      headers: [['x-api-key', '[redacted:api-key]']],
      credential: 'api-key',
    },
    response: {
      status: 200,
      statusText: '',
      httpVersion: 'http/2.0',
      headers: [['content-type', 'application/json']],
      body: { text: '["[redacted:api-key]"]', encoding: 'utf8', decodedBytes: 36 },
    },
    timings: { dns: 10, connect: 20, tls: 30, send: 0.5, wait: 40, receive: 9.5, total: 118.5 },
    startedAt: '2026-02-01T10:00:00.123Z',
    recorder: { place: 'log.entries[0]' },
  });
  expect(Object.isFrozen(exchange?.response?.body)).toBe(true);
});

test('a key of one entry is concealed in all others', () => {
  const other = {
    request: { url: 'https://host/' },
    response: { status: 200, content: { text: `was ${KEY}` } },
  };
  expect(JSON.stringify(readEntries(other, CHROME))).not.toContain(KEY);
});

test('a request without a key header leaves its credential unknown', () => {
  expect(readEntry({}).request.credential).toBe('unknown');
});

test('a marker in the key header tells its credential', () => {
  const headers = [{ name: 'X-Api-Key', value: '[redacted:trial:empty]' }];
  const { request } = readEntry({ request: { url: 'https://host/', headers } });
  expect(request).toMatchObject({
    credential: 'trial:empty',
    headers: [['X-Api-Key', '[redacted:trial:empty]']],
  });
});

test('timings of -1 and 0 are absent and the total still stands', () => {
  const timings = { blocked: -1, dns: 0, connect: -1, ssl: -1, send: 0, wait: 30, receive: 5 };
  expect(readEntry({ timings }).timings).toEqual({ wait: 30, receive: 5, total: 35 });
});

test('what a recorder left out or did itself is noted', () => {
  const headers = [{ name: 'date', value: 'Sun, 01 Feb 2026 10:00:00 GMT' }];
  const timed = { startedDateTime: '2026-02-01T10:00:00Z', time: 5, response: { status: 200, headers } };
  const place = 'log.entries[0]';
  expect(readEntry(timed).recorder).toEqual({ place });
  expect(readEntry({ ...timed, response: { status: 200, headers: [] } }).recorder).toEqual({
    place,
    headersLeftOut: true,
  });
  for (const cached of [
    { _fromCache: 'disk' },
    { _fetchType: 'Memory Cache' },
    { _fetchedViaServiceWorker: true },
    { response: { status: 304, headers } },
  ]) {
    expect(readEntry({ ...timed, ...cached }).recorder).toEqual({ place, fromCache: true });
  }
  for (const untimed of [
    { time: -1 },
    { startedDateTime: null },
    { pageref: 'page', timings: { wait: 5 } },
  ]) {
    expect(readEntry({ ...timed, ...untimed }).recorder).toEqual({ place, timesUnknown: true });
  }
});

test('a second key is another account', () => {
  const keyed = (key: string): HarEntry => ({
    request: { url: 'https://host/tokens', headers: [{ name: 'x-api-key', value: key }] },
    response: { status: 200 },
  });
  const other = KEY.replace('aB3d', 'zY9x');
  const read = readEntries(keyed(other), keyed(KEY), keyed(KEY));
  expect(read.map(({ request }) => [request.credential, request.headers[0]?.[1]])).toEqual([
    ['trial:other-key', '[redacted:trial:other-key]'],
    ['api-key', '[redacted:api-key]'],
    ['api-key', '[redacted:api-key]'],
  ]);
});

test('a missing start is taken from the date of the answer', () => {
  const headers = [{ name: 'Date', value: 'Sun, 01 Feb 2026 10:00:00 GMT' }];
  expect(readEntry({ response: { status: 200, headers } }).startedAt).toBe('2026-02-01T10:00:00.000Z');
  expect(readEntry({ startedDateTime: 'yesterday' }).startedAt).toBe('1970-01-01T00:00:00.000Z');
});

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl';
const SESSION = 'S3ss10nOfSomebodyElse77';

test('cookies, authorisations and keys in URLs of a recording are masked, and looked for elsewhere', () => {
  const [exchange] = readEntries({
    request: {
      url: `https://user:pw@host/tokens?api_key=short&from=1700000000&page=${SESSION}&q=a%2Bb#access_token=abc`,
      headers: [
        { name: 'Authorization', value: `Bearer ${TOKEN}` },
        { name: 'Cookie', value: `sid=${SESSION}; lang=en` },
        { name: 'Referer', value: `https://host/start?token=${TOKEN}` },
        { name: 'X-Auth-Token', value: 'abc' },
        { name: 'Accept', value: 'application/json' },
      ],
    },
    response: {
      status: 200,
      headers: [{ name: 'Set-Cookie', value: `sid=${SESSION}; Path=/; Secure` }],
      content: { text: `{"token":"${TOKEN}","lang":"en","session":"${SESSION}"}` },
    },
  });
  expect(exchange?.request).toMatchObject({
    url: 'https://[redacted:authorization]@host/tokens?api_key=[redacted:parameter]&from=1700000000&page=[redacted:cookie]&q=a%2Bb#access_token=[redacted:parameter]',
    headers: [
      ['Authorization', 'Bearer [redacted:authorization]'],
      ['Cookie', 'sid=[redacted:cookie]; lang=[redacted:cookie]'],
      ['Referer', 'https://host/start?token=[redacted:authorization]'],
      ['X-Auth-Token', '[redacted:authorization]'],
      ['Accept', 'application/json'],
    ],
  });
  expect(exchange?.response).toMatchObject({
    headers: [['Set-Cookie', 'sid=[redacted:cookie]; Path=/; Secure']],
    body: { text: '{"token":"[redacted:authorization]","lang":"en","session":"[redacted:cookie]"}' },
  });
});

test('a secret in the path of a URL is masked by its look, ordinary names and numbers are not', () => {
  const [keyed, plain] = ['aB3dE5gH7jK9mN1pQ3sT5vW7', 'a-rather-long-name-of-2026'].map(
    (step) =>
      readEntry({ request: { url: `https://host/${step}/tokens?to=1700000000123&interval=FIVEMIN` } }).request
        .url,
  );
  expect(keyed).toBe('https://host/[redacted:parameter]/tokens?to=1700000000123&interval=FIVEMIN');
  expect(plain).toContain('/a-rather-long-name-of-2026/tokens?to=1700000000123&interval=FIVEMIN');
});

test('a URL made to be slow to mask is masked in time', { tag: '@endurance' }, () => {
  const spent = measureProcessorMs(() => {
    for (const filling of ['a', '=', '/', '://', '@', 'a=', '%41', '1', 'a1'])
      readEntry({ request: { url: `https://host/${filling.repeat(300_000)}` } });
  });
  expect(spent).toBeLessThan(10_000);
});
