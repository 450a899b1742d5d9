import { expect, test } from '@playwright/test';
import { type HarEntry, only } from '../testing/har-entries.ts';
import { fromHar } from './har.ts';

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
    const exchange = only({ response });
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
    const { exchanges, skipped } = fromHar(
      JSON.stringify({ log: { entries: [{ request, ...entry }] } }),
      'browser.har',
    );
    expect(exchanges).toEqual([]);
    expect(skipped).toEqual([expect.stringContaining(reason)]);
  });
}

test('an answer that broke off keeps both its parts', () => {
  const response = { status: 200, content: { text: '[1,' }, _error: 'net::ERR_INCOMPLETE_CHUNKED_ENCODING' };
  const exchange = only({ response });
  expect(exchange.failure).toMatchObject({ kind: 'truncated', phase: 'receive' });
  expect(exchange.response?.body?.text).toBe('[1,');
});
