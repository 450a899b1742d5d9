import { isDeepStrictEqual } from 'node:util';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { catalogue, choose } from '@candleproof/law/rules/catalogue';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { makeRequest } from '../run/requests.ts';
import { measureGround } from './ground.ts';
import { makePlan, requestKey, splitBudget, usualSize } from './plan.ts';
import { isKeyed } from './planned-request.ts';

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
/** Makes the size of a plan whose requests may all have the key. */
const sized = (requests: number) => ({ requests, keyed: requests });

const planPaths = (facts: TargetFacts): string[] =>
  makePlan(spec, catalogue, facts).requests.map((request) => {
    const made = makeRequest(
      { ...request, manner: undefined },
      { spec, target: facts, keys, moment, exchanges: [] },
    );
    const { method = 'GET', path, plainHttp } = made ?? {};
    return `${request.credential} ${plainHttp ? 'http ' : ''}${method === 'GET' ? '' : `${method} `}${path}`;
  });

test('no request is planned twice but one of each operation', () => {
  const paths = planPaths(target);
  const again = paths.filter((path, at) => paths.indexOf(path) !== at);
  expect(again).toEqual([
    'api-key /pools/conversionRates/latest/0?interval=FIVEMIN',
    'api-key /tokens',
    expect.stringMatching(/^api-key \/v2\/pools\/conversionRates\/1\?from=\d+&to=\d+&interval=HOUR$/),
  ]);
});

test('latest candles are requested side by side, shorter intervals first, the first again at last', () => {
  const latest = planPaths(target)
    .filter((path) => path.startsWith('api-key') && path.includes('/latest/0?'))
    .slice(0, 10)
    .map((planPath) => planPath.split('?')[1]);
  expect(latest).toEqual([
    'interval=FIVEMIN',
    'interval=HOUR',
    'interval=DAY',
    'interval=WEEK',
    'interval=FIVEMIN&inverted=true',
    'interval=HOUR&inverted=true',
    'interval=DAY&inverted=true',
    'interval=WEEK&inverted=true',
    'interval=HOUR&inverted=false',
    'interval=FIVEMIN',
  ]);
});

const everySeed = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

test('every seed asks both directions of every length of both operations', () => {
  const intervals = ['day', 'hour', 'minutes', 'week'];
  for (const baseUrl of ['https://127.0.0.1', 'https://target.invalid']) {
    for (const seed of everySeed) {
      const { requests } = makePlan(spec, catalogue, { ...target, baseUrl }, usualSize, { seed });
      const cells = requests.flatMap(({ need, isFirst, credential }) =>
        isFirst && credential === 'api-key' && need.interval && !need.errorCase
          ? [`${need.role} ${need.interval} ${need.inverted ?? false}`]
          : [],
      );
      expect([...new Set(cells)].sort()).toEqual(
        ['history', 'latest'].flatMap((role) =>
          intervals.flatMap((interval) => [`${role} ${interval} false`, `${role} ${interval} true`]),
        ),
      );
    }
  }
});

test('a run plans at most 48 requests with the key and 80 in all, 62 away from loopback', () => {
  for (const seed of everySeed) {
    const count = (baseUrl: string) => {
      const { requests } = makePlan(spec, catalogue, { ...target, baseUrl }, usualSize, { seed });
      return { all: requests.length, keyed: requests.filter(isKeyed).length };
    };
    const [near, far] = [count('https://127.0.0.1'), count('https://target.invalid')];
    expect(near.keyed).toBeLessThanOrEqual(48);
    expect(near.all).toBeLessThanOrEqual(80);
    expect(far.keyed).toBeLessThanOrEqual(48);
    expect(far.all).toBeLessThanOrEqual(62);
  }
});

test('the tier smoke is the same sixteen requests for every seed: each length and both directions of both operations', () => {
  const plans = everySeed.map((seed) =>
    makePlan(spec, catalogue, target, sized(17), { seed, smoke: true }).requests.map(requestKey),
  );
  expect(new Set(plans.map((keys) => keys.join())).size).toBe(1);
  expect(plans[0]).toHaveLength(16);
  const { requests, whole } = makePlan(spec, catalogue, target, sized(17), { seed: 1, smoke: true });
  const sent = new Set(requests.map(requestKey));
  const { grid = [], ...ground } = measureGround(spec, whole, (request) => sent.has(requestKey(request)));
  expect(grid).toHaveLength(16);
  expect(grid.filter(({ requested }) => requested)).toHaveLength(11);
  expect(ground).toEqual({
    cells: 11,
    of: 16,
    notRequested: ['inverted FIVEMIN, DAY', 'latest inverted WEEK', 'faulty requests', 'wrong keys'],
  });
});

test('a request that was refused without a key is made again with it, and wrong keys are the very last but for one', () => {
  for (const seed of [1, 2, 3]) {
    const { requests } = makePlan(spec, catalogue, { ...target, baseUrl: 'https://127.0.0.1' }, usualSize, {
      seed,
    });
    const again = requests.findIndex(({ need }) => need.role === 'history' && need.again);
    const { again: _, ...wanted } = requests[again]?.need ?? {};
    const unkeyed = requests.findIndex(
      ({ need: { unkeyed, freshConnection: __, ...need } }) => unkeyed && isDeepStrictEqual(need, wanted),
    );
    expect(unkeyed).toBeGreaterThan(0);
    expect(again).toBeGreaterThan(unkeyed);
    const trials = requests.flatMap(({ need }, at) => (need.trial ? [at] : []));
    expect(trials.length).toBeGreaterThan(5);
    expect(Math.min(...trials)).toBeGreaterThan(again);
    expect(requests.length - 1 - Math.max(...trials)).toBe(1);
    expect(requests.at(-1)).toMatchObject({ credential: 'api-key', need: { range: 'after now' } });
  }
});

test('candles of a second pool are inverted too, if there is one', () => {
  const inverted = (v2: readonly number[]) =>
    makePlan(spec, catalogue, { ...target, pools: { v1: [1], v2 } }).requests.flatMap(({ need, pool }) =>
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

test('refusals come after all else, and a keyless target is sent none for want of a key', () => {
  const { requests } = makePlan(spec, catalogue, target);
  const keyed = requests.findLastIndex(
    ({ credential, need }) =>
      credential === 'api-key' && need.range !== 'after now' && !(need.again && need.role === 'history'),
  );
  expect(keyed).toBeLessThan(requests.findIndex(({ need }) => need.unkeyed));
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
  expect(makePlan(spec, chosen, target).requests.map((request) => request.need.role)).toEqual(['tokens']);
});

test('no plan is larger than its budget, and what it leaves out is counted', () => {
  const whole = makePlan(spec, catalogue, target).requests.length;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (most) => {
      const plan = makePlan(spec, catalogue, target, sized(most));
      expect(plan.requests.length).toBeLessThanOrEqual(most);
      expect(plan.requests.length + plan.left).toBe(whole);
    }),
  );
});

test('as few as four requests go to what is answered before what is refused', () => {
  const { requests } = makePlan(spec, catalogue, { ...target, pools: { v1: [0], v2: [1] } }, sized(4));
  expect(new Set(requests.map((request) => request.need.role)).size).toBe(3);
  expect(requests.filter((request) => request.credential === 'api-key').length).toBeGreaterThanOrEqual(3);
});

test('a dozen requests still touch every operation', () => {
  const operations = makePlan(spec, catalogue, target, sized(12)).requests.map(
    (request) => request.need.role,
  );
  expect(new Set(operations).size).toBe(3);
});

test('a given budget keeps a sixth for asking again', () => {
  expect(splitBudget(12)).toEqual({ planned: sized(10), budget: 12 });
  expect(splitBudget(200)).toEqual({ planned: sized(188), budget: 200 });
  expect(splitBudget(undefined)).toEqual({ planned: usualSize, budget: 92 });
});
