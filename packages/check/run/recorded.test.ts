import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Exchange, HeaderLine } from '@candleproof/law/reading/exchange';
import { expect, test } from '@playwright/test';
import { inferTarget } from './recorded.ts';

const spec = loadSpec('openapi.yaml');

function exchange(url: string, facts: Partial<Exchange> = {}): Exchange {
  return {
    request: { method: 'GET', url, headers: [], credential: 'unknown' },
    timings: { total: 1 },
    startedAt: '2026-03-11T15:32:20.000Z',
    ...facts,
  };
}

function answered(url: string, headers: readonly HeaderLine[], text = ''): Exchange {
  const body = { text, encoding: 'utf8' as const };
  return exchange(url, { response: { status: 200, statusText: '', httpVersion: 'h2', headers, body } });
}

test('the target of a recording is the base that most requests to the operations share', () => {
  const urls = [
    'https://www.page.example/app.js',
    'https://api.example/base/tokens',
    'https://api.example/base/v2/pools/conversionRates/3?from=1&to=2&interval=DAY',
    'https://api.example/base/pools/conversionRates/latest/7?interval=HOUR',
    'https://other.example/tokens',
  ];
  const exchanges = urls.map((url) => exchange(url));
  expect(inferTarget(spec, exchanges)).toEqual({
    name: 'api.example',
    baseUrl: 'https://api.example/base',
    pools: { v1: [7], v2: [3] },
    keyless: false,
    soleUser: false,
  });
});

test('a market that was refused each time is not one of the target, unless all were', () => {
  const ask = (pool: number, status: number): Exchange => {
    const recorded = answered(`https://api.example/pools/conversionRates/latest/${pool}?interval=HOUR`, []);
    return { ...recorded, response: { ...(recorded.response as NonNullable<Exchange['response']>), status } };
  };
  const pools = (...all: readonly Exchange[]) => inferTarget(spec, all)?.pools;
  expect(pools(ask(7, 200), ask(99, 404), ask(98, 400))).toEqual({ v1: [7] });
  expect(pools(ask(7, 200), ask(99, 404), ask(99, 200), ask(8, 503), ask(9, 401))).toEqual({
    v1: [7, 99, 8, 9],
  });
  expect(pools(ask(99, 404))).toEqual({ v1: [99] });
});

test('a recording of other sites has no target', () => {
  expect(inferTarget(spec, [exchange('https://www.page.example/'), exchange('about:blank')])).toBeUndefined();
});

const page = 'https://www.front.example';
const pages = Array.from({ length: 9 }, () =>
  answered(`${page}/tokens`, [['content-type', 'text/html']], '<!doctype html>'),
);

const api = 'https://api.example';
const url = `${api}/tokens`;
const key = { method: 'GET', url, headers: [], credential: 'api-key' as const };

for (const [what, reported] of [
  ['the key', exchange(url, { request: key })],
  ['a quota header', answered(url, [['X-RateLimit-Limit', '10000']])],
  ['a pool', exchange(`${api}/pools/conversionRates/latest/7?interval=HOUR`)],
  ['the label of JSON', answered(url, [['content-type', 'application/json']])],
  ['a body of JSON', answered(url, [], '[{"id":"0.0.1"}]')],
] as const) {
  test(`${what} tells the API from the many pages of a front end`, () => {
    expect(inferTarget(spec, [...pages, reported])?.baseUrl).toBe(api);
  });
}

test('where nothing else tells the API most requests do, and then the alphabet', () => {
  const [one, other] = [exchange('https://b.example/tokens'), exchange('https://a.example/tokens')];
  expect(inferTarget(spec, [one, other])?.baseUrl).toBe('https://a.example');
  expect(inferTarget(spec, [one, other, one])?.baseUrl).toBe('https://b.example');
});

test('the caller knows better which base it is', () => {
  expect(inferTarget(spec, [...pages, exchange(url)], page)?.baseUrl).toBe(page);
  expect(inferTarget(spec, pages, 'https://elsewhere.example')).toBeUndefined();
});
