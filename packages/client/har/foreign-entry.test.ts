import { expect, test } from '@playwright/test';
import { type HarEntry, readEntry } from '../testing/har-entries.ts';
import { parseHar } from './har.ts';

test('sizes on the wire are counted in too many ways to be taken over', () => {
  const counted = readEntry({ response: { status: 200, content: { size: 5, text: '[1,2]' }, bodySize: 7 } });
  const bare = readEntry({ response: { status: 200, content: { size: -1, text: '[1,2]' }, bodySize: -1 } });
  expect(counted.response?.body).toEqual({ text: '[1,2]', encoding: 'utf8', decodedBytes: 5 });
  expect(bare.response?.body).toEqual({ text: '[1,2]', encoding: 'utf8' });
});

const UNRECORDED: [name: string, content: HarEntry, headers?: HarEntry[]][] = [
  ['no text', { size: 40 }],
  ['no text and no size', { size: -1 }],
  ['no text and the size 0', { size: 0 }],
  ['a text that is shorter than its size', { size: 40, text: '[1,2]' }],
  ['Base64 that is shorter than its size', { size: 40, text: 'WzEsMl0=', encoding: 'base64' }],
  [
    'an empty text where a length was announced',
    { size: 0, text: '' },
    [{ name: 'content-length', value: '40' }],
  ],
  ['a file that is not there', { _file: 'gone.json' }],
  ['a file elsewhere', { _file: '../body.json' }],
  ['a file by its path', { _file: '/body.json' }],
  ['a file in a folder', { _file: 'folder\\body.json' }],
];

/** Finds a file for every name. */
const everything = (name: string): Buffer | undefined =>
  name === 'gone.json' ? undefined : Buffer.from('[1,2]');

for (const [name, content, headers = []] of UNRECORDED) {
  test(`${name} is a body that was not recorded`, () => {
    const entry = { request: { url: 'https://host/tokens' }, response: { status: 200, headers, content } };
    const text = JSON.stringify({ log: { entries: [entry] } });
    const [read] = parseHar(text, 'browser.har', { attached: everything }).exchanges;
    expect(read?.response).toMatchObject({ status: 200 });
    expect(read?.response).not.toHaveProperty('body', expect.anything());
  });
}

test('an empty text is an empty body, and a file beside the recording is one', () => {
  expect(readEntry({ response: { status: 200, content: { size: 0, text: '' } } }).response?.body?.text).toBe(
    '',
  );
  const response = { status: 200, content: { _file: '2aae6c35c94fcfb415db.json' } };
  const text = JSON.stringify({ log: { entries: [{ request: { url: 'https://host/' }, response }] } });
  const [read] = parseHar(text, 'browser.har', { attached: everything }).exchanges;
  expect(read?.response?.body).toEqual({ text: '[1,2]', encoding: 'utf8' });
});

const FAILURES: [name: string, response: HarEntry, expected: Record<string, unknown>][] = [
  [
    'a refused connection',
    { status: 0, _error: 'net::ERR_CONNECTION_REFUSED' },
    { kind: 'refused', phase: 'connect' },
  ],
  [
    'a bad certificate',
    { status: 0, _error: 'net::ERR_CERT_DATE_INVALID' },
    { kind: 'certificate', phase: 'tls' },
  ],
  [
    'an unknown name',
    { status: 0, _error: 'net::ERR_NAME_NOT_RESOLVED' },
    { kind: 'unreachable', phase: 'dns' },
  ],
  ['a time-out', { status: -1, _failureText: 'net::ERR_TIMED_OUT' }, { kind: 'timeout', phase: 'wait' }],
];

for (const [name, response, expected] of FAILURES) {
  test(`${name} is read as a failure without response`, () => {
    const exchange = readEntry({ response });
    expect(exchange.failure).toMatchObject(expected);
    expect(exchange.response).toBeUndefined();
  });
}

const SKIPPED: [name: string, entry: HarEntry, reason: string][] = [
  ['a request called off', { response: { status: 0, _error: 'net::ERR_ABORTED' } }, 'blocked or called off'],
  [
    'a request that an extension blocked',
    { response: { status: 0, _error: 'net::ERR_BLOCKED_BY_CLIENT' } },
    'blocked or called off',
  ],
  [
    'a request called off by Firefox',
    { response: { status: 0, _error: 'NS_BINDING_ABORTED' } },
    'blocked or called off',
  ],
  [
    'an answer that the page no longer wanted',
    { response: { status: 200, _failureText: 'net::ERR_ABORTED' } },
    'blocked or called off',
  ],
  ['a request without any word of an answer', { response: { status: 0 } }, 'no response'],
  [
    'an answer that a test made up',
    { _wasFulfilled: true, response: { status: 500 } },
    'answered by the test itself',
  ],
];

for (const [name, entry, reason] of SKIPPED) {
  test(`${name} says nothing of the target`, () => {
    const request = { method: 'GET', url: 'https://host/tokens', headers: [] };
    const { exchanges, skipped } = parseHar(
      JSON.stringify({ log: { entries: [{ request, ...entry }] } }),
      'browser.har',
    );
    expect(exchanges).toEqual([]);
    expect(skipped).toEqual([expect.stringContaining(reason)]);
  });
}

test('an answer that broke off keeps both its parts', () => {
  const response = { status: 200, content: { text: '[1,' }, _error: 'net::ERR_INCOMPLETE_CHUNKED_ENCODING' };
  const exchange = readEntry({ response });
  expect(exchange.failure).toMatchObject({ kind: 'truncated', phase: 'receive' });
  expect(exchange.response?.body?.text).toBe('[1,');
});
