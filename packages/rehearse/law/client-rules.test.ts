import { expect, test } from '@playwright/test';
import { epoch, findBreaches, isExercised, type MadeExchange, makePlay } from '../testing/plays.ts';
import { backsOffFromServerErrors, easesOffWhenItsKeyIsRefused } from './backs-off.ts';
import { clientRules } from './catalogue.ts';
import { recovers } from './recovers.ts';
import { fewEqualRequests, keepsParametersWithinTheDocument, keyInItsHeaderAlone } from './requests.ts';
import { staysWithinItsQuota, waitsAsRetryAfterSays } from './waits.ts';

const refused = { status: 429, retryAfter: 2 } as const;
const tokens = '/tokens';
const hour = '/pools/conversionRates/latest/1?interval=HOUR';
const series = (count: number, make: (at: number) => MadeExchange): MadeExchange[] =>
  Array.from({ length: count }, (_, at) => make(at));

test('a request before Retry-After has passed is a breach, one after it is not', () => {
  const after = (arrived: number): number[] =>
    findBreaches(waitsAsRetryAfterSays, makePlay([{ ...refused, arrived: 0, ended: 10 }, { arrived }]));
  expect(after(900)).toEqual([2]);
  expect(after(1800)).toEqual([2]);
  expect(after(1915)).toEqual([]);
  expect(after(2500)).toEqual([]);
});

test('the same request over the same connection is known to follow the refusal', () => {
  const at = (more: MadeExchange): number[] =>
    findBreaches(
      waitsAsRetryAfterSays,
      makePlay([
        { ...refused, ended: 10 },
        { arrived: 30, ...more },
      ]),
    );
  expect(at({})).toEqual([2]);
  expect(at({ connection: 2 })).toEqual([]);
  expect(at({ target: hour })).toEqual([]);
  expect(at({ target: hour, arrived: 600 })).toEqual([2]);
});

test('concurrent tasks wait for their own refusals', () => {
  const play = makePlay([
    { ...refused, arrived: 0, ended: 10 },
    { ...refused, arrived: 200, ended: 210, connection: 2, target: hour },
    { arrived: 2015 },
    { arrived: 2215, connection: 2, target: hour },
  ]);
  expect(findBreaches(waitsAsRetryAfterSays, play)).toEqual([]);
  const samePool = makePlay([
    { ...refused, arrived: 0, ended: 10, target: hour },
    { ...refused, arrived: 300, ended: 310, connection: 2, target: hour.replace('HOUR', 'DAY') },
    { arrived: 2015, target: hour },
    { arrived: 2250, connection: 2, target: hour.replace('HOUR', 'DAY') },
  ]);
  expect(findBreaches(waitsAsRetryAfterSays, samePool)).toEqual([]);
});

test('a range requested again with a later end is the same request', () => {
  const range = (to: number) => `/v2/pools/conversionRates/1?interval=HOUR&from=1773000000&to=${to}`;
  const again = (arrived: number): number[] =>
    findBreaches(
      waitsAsRetryAfterSays,
      makePlay([
        { ...refused, target: range(1_773_230_400) },
        { arrived, target: range(1_773_230_402) },
      ]),
    );
  expect(again(1000)).toEqual([2]);
  expect(again(2000)).toEqual([]);
});

test('six equal requests in a second are a storm on a failing service, five are not', () => {
  const storm = (count: number, status: number): MadeExchange[] => [
    { arrived: 0, status },
    ...series(count, (at) => ({ arrived: 100 + at * 100, status })),
  ];
  expect(findBreaches(backsOffFromServerErrors, makePlay(storm(5, 503)))).toEqual([]);
  expect(findBreaches(backsOffFromServerErrors, makePlay(storm(6, 503)))).toHaveLength(1);
  expect(findBreaches(backsOffFromServerErrors, makePlay(storm(6, 404)))).toEqual([]);
  expect(findBreaches(easesOffWhenItsKeyIsRefused, makePlay(storm(6, 401)))).toHaveLength(1);
});

test('sixteen equal requests in ten seconds or twenty-one requests in a second are a storm', () => {
  const slow = (count: number) => [
    { status: 500 },
    ...series(count, (at) => ({ arrived: 300 + at * 600, status: 500 })),
  ];
  expect(findBreaches(backsOffFromServerErrors, makePlay(slow(15)))).toEqual([]);
  expect(findBreaches(backsOffFromServerErrors, makePlay(slow(17)))).toHaveLength(1);
  const wide = (count: number) => [
    { status: 500 },
    ...series(count, (at) => ({ arrived: 600 + at * 20, status: 500, target: `${hour}&n=${at}` })),
  ];
  expect(findBreaches(backsOffFromServerErrors, makePlay(wide(20)))).toEqual([]);
  expect(findBreaches(backsOffFromServerErrors, makePlay(wide(21)))).toHaveLength(1);
});

test('a good answer ends the counting of requests', () => {
  const mixed = series(40, (at) => ({ arrived: at * 100, status: at % 4 === 0 ? 503 : 200 }));
  expect(findBreaches(backsOffFromServerErrors, makePlay(mixed))).toEqual([]);
});

test('a request beyond the quota is a breach where overage is not allowed', () => {
  const made = [{ remaining: 1 }, { arrived: 1000, remaining: 0 }, { arrived: 2000, remaining: 0 }];
  expect(findBreaches(staysWithinItsQuota, makePlay(made, { noOverage: true }))).toEqual([3]);
  expect(isExercised(staysWithinItsQuota, makePlay(made))).toBe(false);
  expect(findBreaches(staysWithinItsQuota, makePlay(made.slice(0, 2), { noOverage: true }))).toEqual([]);
});

test('after the reset of the month requests are allowed again', () => {
  const reset = epoch + 5000;
  const made = [
    { remaining: 0, reset },
    { arrived: 5001, remaining: 9999 },
  ];
  expect(findBreaches(staysWithinItsQuota, makePlay(made, { noOverage: true }))).toEqual([]);
});

test('a key anywhere but in its header is a breach', () => {
  for (const place of ['URL', 'body', 'header cookie', 'header authorization'] as const)
    expect(findBreaches(keyInItsHeaderAlone, makePlay([{ keyPlaces: ['key header', place] }]))).toEqual([1]);
  expect(isExercised(keyInItsHeaderAlone, makePlay([{ keyPlaces: [] }]))).toBe(false);
});

test('a path that the document does not have is answered with those that it has', () => {
  const [found] = keepsParametersWithinTheDocument.check(makePlay([{ target: '/v2/pools/1/latest' }]));
  expect(found).toMatchObject({
    breach: {
      actual: '/v2/pools/1/latest',
      expected: expect.stringContaining('/pools/conversionRates/latest/{poolId}'),
    },
  });
});

test('requests that the document does not have are breaches', () => {
  const broken = (more: MadeExchange): boolean =>
    findBreaches(keepsParametersWithinTheDocument, makePlay([more])).length > 0;
  const range = '/v2/pools/conversionRates/1?interval=HOUR';
  for (const target of [tokens, hour, `${hour}&inverted=true`, `${range}&from=1773000000&to=1773086400`])
    expect(broken({ target })).toBe(false);
  for (const target of [
    '/tokens?limit=5',
    '/v3/pools',
    hour.replace('HOUR', 'hour'),
    hour.replace('?interval=HOUR', ''),
    `${hour}&interval=DAY`,
    `${hour}&inverted=yes`,
    `${range}&from=1773000000000&to=1773086400000`,
    `${range}&from=1773086400&to=1773000000`,
    `${range}&from=1773000000.5&to=1773086400`,
  ])
    expect(broken({ target }), target).toBe(true);
  expect(broken({ method: 'POST' })).toBe(true);
  expect(broken({ method: 'HEAD' })).toBe(false);
  expect(isExercised(keepsParametersWithinTheDocument, makePlay([{ method: 'OPTIONS' }]))).toBe(false);
});

test('a client that runs on without a good answer after the trouble has not recovered', () => {
  const trouble = { began: 2000, ended: 4000, isAnnounced: true };
  const made = [{}, { arrived: 1000 }, { arrived: 2000, status: 503 }];
  const sights = (more: object) => findBreaches(recovers, makePlay(made, { trouble, ...more }));
  expect(sights({ ended: 20_000 })).toEqual([3]);
  expect(sights({ ended: 8000 })).toEqual([]);
  expect(sights({ ended: 20_000, pace: 10_000 })).toEqual([]);
  expect(sights({ ended: 20_000, end: { how: 'exited', code: 0 } })).toEqual([]);
  expect(sights({ ended: 5000, end: { how: 'exited', code: 1 } })).toEqual([]);
  const again = makePlay([...made, { arrived: 9000 }], { trouble, ended: 20_000 });
  expect([findBreaches(recovers, again), isExercised(recovers, again)]).toEqual([[], true]);
});

test('without Retry-After a client gets twice the trouble to recover', () => {
  const trouble = { began: 2000, ended: 6000, isAnnounced: false };
  const made = [{}, { arrived: 1000 }, { arrived: 2000, status: 503 }];
  expect(findBreaches(recovers, makePlay(made, { trouble, ended: 13_900 }))).toEqual([]);
  expect(findBreaches(recovers, makePlay(made, { trouble, ended: 14_100 }))).toEqual([3]);
});

test('the seventh equal request of a minute is a breach unless earlier ones failed', () => {
  const polled = (count: number, status: number) =>
    makePlay(series(count, (at) => ({ arrived: at * 5000, status })));
  expect(findBreaches(fewEqualRequests, polled(6, 200))).toEqual([]);
  expect(findBreaches(fewEqualRequests, polled(7, 200))).toEqual([7]);
  expect(findBreaches(fewEqualRequests, polled(12, 503))).toEqual([]);
  expect(findBreaches(fewEqualRequests, makePlay(series(12, (at) => ({ arrived: at * 10_000 }))))).toEqual(
    [],
  );
});

test('a client that sent nothing exercises no rule', () => {
  expect(clientRules.filter((rule) => isExercised(rule, makePlay([])))).toEqual([]);
});
