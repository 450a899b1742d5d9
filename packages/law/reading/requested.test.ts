import { requireOperation } from '@candleproof/document/spec/operation';
import { buildPath, matchPath } from '@candleproof/document/spec/request-path';
import { rungNames } from '@candleproof/document/spec/roles';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { spec } from '../worlds/breach-case.ts';
import { intervalSeconds, intervals } from '../worlds/world.ts';
import { recognizeRequest } from './requested.ts';

const base = 'https://target.invalid/api';

function recognised(url: string, method = 'GET') {
  return recognizeRequest(spec, base, { method, url, headers: [], credential: 'api-key' });
}

const range = fc
  .tuple(fc.integer({ min: 1.5e9, max: 4e9 }), fc.integer({ min: 1.5e9, max: 4e9 }))
  .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) }));
const requests = fc.record({
  pool: fc.integer({ min: 0, max: 1e9 }),
  interval: fc.constantFrom(...intervals),
  inverted: fc.option(fc.boolean(), { nil: undefined }),
});

test('a history request is recognized by its path', () => {
  fc.assert(
    fc.property(requests, range, (values, { from, to }) => {
      const path = buildPath(requireOperation(spec, 'history'), { ...values, from, to });
      expect(recognised(base + path)).toEqual({
        operation: 'listV2PoolCandles',
        role: 'history',
        proper: true,
        length: intervalSeconds[values.interval],
        rung: rungNames[intervals.indexOf(values.interval)],
        ...(to <= Date.UTC(2018, 2, 1) / 1000 && { prehistoric: true }),
        from,
        to,
        ...JSON.parse(JSON.stringify(values)),
      });
    }),
  );
});

test('requests for a latest candle and tokens are recognized', () => {
  const latest = buildPath(requireOperation(spec, 'latest'), { pool: 3, interval: 'DAY' });
  expect(latest).toBe('/pools/conversionRates/latest/3?interval=DAY');
  expect(recognised(base + latest)).toMatchObject({
    operation: 'getLatestV1PoolCandle',
    pool: 3,
    proper: true,
  });
  const tokens = buildPath(requireOperation(spec, 'tokens'), {});
  expect(recognised(base + tokens)).toEqual({ operation: 'listTokens', role: 'tokens', proper: true });
});

test('order of parameters, unknown ones and a trailing slash make no difference', () => {
  const path = '/v2/pools/conversionRates/1/?to=1600000009&cache=no&interval=HOUR&from=1600000005';
  expect(recognised(base + path)).toMatchObject({
    proper: true,
    from: 1_600_000_005,
    to: 1_600_000_009,
    interval: 'HOUR',
    pool: 1,
  });
});

test('a range may begin with time itself, but not end there or begin between', () => {
  const isProper = (from: number, to: number) =>
    recognised(`${base}/v2/pools/conversionRates/1?interval=WEEK&from=${from}&to=${to}`)?.proper;
  expect([isProper(0, 1_600_000_009), isProper(0, 2 ** 31)]).toEqual([true, true]);
  expect([isProper(0, 0), isProper(7, 1_600_000_009), isProper(-1, 1_600_000_009)]).toEqual([
    false,
    false,
    false,
  ]);
});

const improper = [
  '/v2/pools/conversionRates/1?from=1600000001&interval=HOUR',
  '/v2/pools/conversionRates/1?from=1600000001&to=1600000002',
  '/v2/pools/conversionRates/1?from=1600000001&to=1600000002&to=3&interval=HOUR',
  '/v2/pools/conversionRates/1?from=1600000001.5&to=1600000002&interval=HOUR',
  '/v2/pools/conversionRates/1?from=x&to=1600000002&interval=HOUR',
  '/v2/pools/conversionRates/1?from=&to=1600000002&interval=HOUR',
  '/v2/pools/conversionRates/one?from=1600000001&to=1600000002&interval=HOUR',
  '/v2/pools/conversionRates/1?from=1600000001&to=1600000002&interval=hour',
  '/pools/conversionRates/latest/1?interval=MONTH',
  '/pools/conversionRates/latest/1?interval=HOUR&inverted=TRUE',
  '/pools/conversionRates/latest/1?interval=HOUR&inverted=1',
  '/pools/conversionRates/latest/1?interval=HOUR&inverted=',
  '/pools/conversionRates/latest/?interval=HOUR',
  '/v2/pools/conversionRates/1?from=1600000002&to=1600000001&interval=HOUR',
  '/v2/pools/conversionRates/1?from=-5&to=1600000002&interval=HOUR',
  '/v2/pools/conversionRates/1?from=1600000001000&to=1600000002000&interval=HOUR',
  '/v2/pools/conversionRates/-1?from=1600000001&to=1600000002&interval=HOUR',
  '/tokens?limit=1',
];

for (const path of improper) {
  test(`the document promises nothing to ${path}`, () => {
    expect(recognised(base + path)?.proper ?? false).toBe(false);
  });
}

test('a request with another method is recognized but improper', () => {
  for (const method of ['POST', 'HEAD', 'get', 'DELETE']) {
    expect(recognised(`${base}/tokens`, method)).toEqual({
      operation: 'listTokens',
      role: 'tokens',
      proper: false,
      otherMethod: true,
    });
  }
});

const strangers = [
  'https://target.invalid/apix/tokens',
  'https://target.invalid/tokens',
  'https://target.invalid/api',
  'https://elsewhere.invalid/api/tokens',
  'http://target.invalid/api/tokens',
  'https://target.invalid/api/v2/tokens',
  'https://target.invalid/api//tokens',
  'https://target.invalid/api/Tokens',
  'https://target.invalid/api/tokens/1',
  'https://target.invalid/api@evil.invalid/tokens',
  'not a url',
  '',
];

for (const url of strangers) {
  test(`"${url}" matches no operation`, () => {
    expect(recognised(url)).toBeUndefined();
  });
}

test('no URL, however odd, breaks the reader', () => {
  fc.assert(
    fc.property(fc.webPath(), fc.webQueryParameters(), fc.string({ unit: 'binary' }), (path, query, tail) => {
      for (const url of [`${base}${path}?${query}`, `${base}/tokens${tail}`, `${base}/%${tail}`, tail])
        recognised(url);
    }),
  );
});

test('a range that the document leaves open still names the series of its rows', () => {
  const path = `${base}/v2/pools/conversionRates/7?interval=HOUR`;
  const odd = [
    '&from=-1&to=1773000000',
    '&from=1773000000&to=1772000000',
    '&from=1772000000&to=1773000000.5',
    '&from=1772000000&to=001773000000',
    '&from=0&to=9999999999',
    '&to=1773000000',
    '&inverted=true&from=yesterday&to=1773000000',
  ];
  for (const query of odd)
    expect(recognised(path + query), query).toMatchObject({ proper: false, oddRange: true, pool: 7 });
  const unnamed = [
    `${path}&from=1772000000&to=1773000000`,
    `${path}&from=-1&to=1773000000&inverted=TRUE`,
    `${path}&from=-1&to=1773000000&interval=DAY`,
    `${base}/v2/pools/conversionRates/7?interval=hour&from=-1&to=1773000000`,
    `${base}/v2/pools/conversionRates/007?interval=HOUR&from=-1&to=1773000000`,
    `${base}/v2/pools/conversionRates/-7?interval=HOUR&from=1772000000&to=1773000000`,
    `${base}/pools/conversionRates/latest/7?interval=HOUR&inverted=TRUE`,
  ];
  for (const url of unnamed) expect(recognised(url)?.oddRange, url).toBeUndefined();
  expect(recognised(`${path}&from=-1&to=1773000000`, 'HEAD')?.oddRange).toBeUndefined();
});

test('a template matches step by step and gives the named steps', () => {
  expect(matchPath('/a/{b}', '/a/7')).toEqual(new Map([['b', '7']]));
  expect(matchPath('/a/{b}', '/a/7/')).toEqual(new Map([['b', '7']]));
  const steps = matchPath('/a/x:{b}:{c}/{d}', '/a/x:1:tB:C/7');
  expect(steps).toEqual(new Map(Object.entries({ b: '1', c: 'tB:C', d: '7' })));
  for (const path of ['/a/x:1/d', '/a/y:1:2/d', '/a/x:/d', '/a/1:2:3/d'])
    expect(matchPath('/a/x:{b}:{c}/{d}', path), path).toBeUndefined();
  for (const path of ['/a', '/b/7', '/a/7/8', 'a/7']) expect(matchPath('/a/{b}', path)).toBeUndefined();
});
