import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { catalogue, choose } from '@candleproof/law/rules/catalogue';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { makeRequest } from '../run/requests.ts';
import { makePlan, splitBudget } from './plan.ts';
import { isMeantToFail } from './planned-request.ts';

const spec = loadSpec('openapi.yaml');
const target: TargetFacts = {
  name: 'target',
  baseUrl: 'https://target.invalid',
  pools: { v1: [0, 1], v2: [1, 3] },
  keyless: false,
  soleUser: true,
};

const moment = { now: 1_773_243_140, weekStart: () => 1_772_409_600, seed: 7 };
const keys = { apiKey: 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF' };
const planPaths = (facts: TargetFacts, most = 48): string[] =>
  makePlan(spec, catalogue, facts, most).requests.map((request) => {
    const made = makeRequest(
      { ...request, manner: undefined },
      { spec, target: facts, keys, moment, exchanges: [] },
    );
    const { method = 'GET', path, plainHttp } = made ?? {};
    return `${request.credential} ${plainHttp ? 'http ' : ''}${method === 'GET' ? '' : `${method} `}${path}`;
  });

test('no request is planned twice but the one that closes the bracket and the token list', () => {
  const paths = planPaths(target);
  const again = paths.filter((path, at) => paths.indexOf(path) !== at);
  expect(again).toEqual(['api-key /pools/conversionRates/latest/0?interval=FIVEMIN', 'api-key /tokens']);
});

test('one V1 and one V2 pool away from loopback cost at most 45 requests', () => {
  expect(planPaths({ ...target, pools: { v1: [0], v2: [1] } }).length).toBeLessThanOrEqual(45);
});

test('latest candles are requested side by side, shorter intervals first, the first again at last', () => {
  const latest = planPaths(target)
    .filter((path) => path.startsWith('api-key') && path.includes('/latest/0?'))
    .slice(0, 7)
    .map((planPath) => planPath.split('?')[1]);
  expect(latest).toEqual([
    'interval=FIVEMIN',
    'interval=HOUR',
    'interval=DAY',
    'interval=WEEK',
    expect.stringMatching(/^interval=(FIVEMIN|HOUR|DAY|WEEK)&inverted=true$/),
    'interval=HOUR&inverted=false',
    'interval=FIVEMIN',
  ]);
});

test('a proper request for closed candles follows all refusals, which a service may keep for it', () => {
  for (const seed of [1, 2, 3]) {
    const { requests } = makePlan(spec, catalogue, { ...target, baseUrl: 'https://127.0.0.1' }, 48, { seed });
    const overTls = requests.filter(({ need }) => !need.plainHttp);
    expect(overTls.at(-1)).toMatchObject({ credential: 'api-key', need: { range: 'some hours' } });
    expect(overTls.filter(isMeantToFail).length).toBeGreaterThan(10);
  }
});

test('several runs turn candles of every length round, in the request where one run turns those of one', () => {
  const turned = (seed: number): string[] =>
    makePlan(spec, catalogue, target, 48, { seed }).requests.flatMap(({ need, isFirst }) =>
      isFirst && need.inverted && need.interval && !need.unkeyed ? [`${need.role} ${need.interval}`] : [],
    );
  const runs = Array.from({ length: 40 }, (_, seed) => turned(seed));
  for (const run of runs) expect(run).toHaveLength(3);
  expect([...new Set(runs.flat())].sort()).toEqual([
    ...['history day', 'history hour', 'history minutes', 'history week'],
    ...['latest day', 'latest hour', 'latest minutes', 'latest week'],
  ]);
});

test('candles of a second pool are inverted too, if there is one', () => {
  const inverted = (v2: readonly number[]) =>
    makePlan(spec, catalogue, { ...target, pools: { v1: [1], v2 } }, 48).requests.flatMap(({ need, pool }) =>
      need.role === 'history' && need.inverted && !need.unkeyed ? [pool] : [],
    );
  expect(new Set(inverted([1, 2, 3]))).toEqual(new Set([1, 3]));
  expect(new Set(inverted([1]))).toEqual(new Set([1]));
});

test('the weeks are requested before the closed week that they anchor', () => {
  const paths = planPaths(target);
  const week = paths.findIndex((path) => path.includes('interval=WEEK') && path.includes('from='));
  expect(week).toBeGreaterThan(0);
  expect(week).toBeLessThan(paths.findIndex((path) => path.includes(`from=${moment.weekStart()}`)));
});

test('refusals come last, about one answer that counts and before one for closed candles, and never from a keyless target', () => {
  const requests = makePlan(spec, catalogue, target, 48).requests;
  const keyed = requests.findLastIndex(
    ({ credential, need: { range } }) =>
      credential === 'api-key' && range !== 'after now' && range !== 'some hours',
  );
  const amid = requests.findIndex(({ need }) => need.range === 'after now');
  expect(keyed).toBeLessThan(requests.findIndex(({ need }) => need.unkeyed));
  expect(amid).toBeGreaterThan(requests.findLastIndex(({ need }) => need.unkeyed));
  expect(amid).toBeLessThan(requests.findIndex(({ need }) => need.trial));
  expect(
    planPaths({ ...target, keyless: true }).filter((planPath) => /^none (?!http)/.test(planPath)),
  ).toEqual([]);
});

test('every pool is looked at, however many there are', () => {
  const paths = planPaths({ ...target, pools: { v1: [5, 6, 7], v2: [8, 9] } });
  for (const pool of [5, 6, 7]) expect(paths.join('\n')).toContain(`/latest/${pool}?interval=HOUR`);
  for (const pool of [8, 9]) expect(paths.join('\n')).toContain(`/v2/pools/conversionRates/${pool}?`);
});

test('a single rule is requested with its own needs only', () => {
  const { chosen } = choose(['tokens/ids-are-unique']);
  expect(makePlan(spec, chosen, target, 48).requests.map((request) => request.need.role)).toEqual(['tokens']);
});

test('no plan is larger than its budget, and what it leaves out is counted', () => {
  const whole = makePlan(spec, catalogue, target, 48).requests.length;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (most) => {
      const plan = makePlan(spec, catalogue, target, most);
      expect(plan.requests.length).toBeLessThanOrEqual(most);
      expect(plan.requests.length + plan.left).toBe(whole);
    }),
  );
});

test('as few as four requests go to what is answered before what is refused', () => {
  const { requests } = makePlan(spec, catalogue, { ...target, pools: { v1: [0], v2: [1] } }, 4);
  expect(new Set(requests.map((request) => request.need.role)).size).toBe(3);
  expect(requests.filter((request) => request.credential === 'api-key').length).toBeGreaterThanOrEqual(3);
});

test('a dozen requests still touch every operation', () => {
  const operations = makePlan(spec, catalogue, target, 12).requests.map((request) => request.need.role);
  expect(new Set(operations).size).toBe(3);
});

test('a given budget keeps a sixth for asking again', () => {
  expect(splitBudget(12)).toEqual({ planned: 10, budget: 12 });
  expect(splitBudget(200)).toEqual({ planned: 188, budget: 200 });
  expect(splitBudget(undefined)).toEqual({ planned: 48, budget: 60 });
});
