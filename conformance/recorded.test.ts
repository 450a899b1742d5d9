import { expect, test } from '@playwright/test';
import type { Exchange } from '../contract/exchange.ts';
import { loadSpec } from '../contract/spec.ts';
import { inferTarget } from './recorded.ts';

const spec = loadSpec('openapi.yaml');

function exchange(url: string): Exchange {
  return {
    request: { method: 'GET', url, headers: [], credential: 'unknown' },
    timings: { total: 1 },
    startedAt: '2026-03-11T15:32:20.000Z',
  };
}

test('the target of a recording is the base that most requests to the operations share', () => {
  const urls = [
    'https://www.page.example/app.js',
    'https://api.example/base/tokens',
    'https://api.example/base/v2/pools/conversionRates/3?from=1&to=2&interval=DAY',
    'https://api.example/base/pools/conversionRates/latest/7?interval=HOUR',
    'https://other.example/tokens',
  ];
  expect(inferTarget(spec, urls.map(exchange))).toEqual({
    name: 'api.example',
    baseUrl: 'https://api.example/base',
    poolsV1: [7],
    poolsV2: [3],
    keyless: false,
    soleUser: false,
  });
});

test('a recording of other sites has no target', () => {
  expect(inferTarget(spec, [exchange('https://www.page.example/'), exchange('about:blank')])).toBeUndefined();
});
