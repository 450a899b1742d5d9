import { readdirSync } from 'node:fs';
import { isLoopback } from '@candleproof/client/send/base-url';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { listSpaces } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { recognizeRequest } from '@candleproof/law/reading/requested';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { makeRequest } from '../run/requests.ts';
import { countReachableTriples, measureCoverage } from './coverage.ts';
import { factorNames } from './manner.ts';
import { makePlan, planNights, usualSize } from './plan.ts';
import type { PlannedRequest } from './planned-request.ts';

const documents = ['openapi.yaml', ...readdirSync('gallery').map((name) => `gallery/${name}/openapi.yaml`)]
  .filter((path) => path === 'openapi.yaml' || !path.includes('.md'))
  .map((path) => loadSpec(path));

const moment = { now: 1_773_243_140, weekStart: () => 1_772_409_600, seed: 7 };
const keys = { apiKey: 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF' };

function makeTarget(spec: Spec, ids: readonly number[], baseUrl: string): TargetFacts {
  const pools = Object.fromEntries(listSpaces(spec).map((space) => [space, ids]));
  return { name: 'target', baseUrl, pools, keyless: false, soleUser: true };
}

const plans = fc
  .record({
    spec: fc.constantFrom(...documents),
    ids: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 4 }),
    baseUrl: fc.constantFrom('https://target.invalid', 'http://127.0.0.1:8080'),
    most: fc.integer({ min: 4, max: 60 }),
    seed: fc.integer({ min: 0, max: 1_000_000 }),
  })
  .map(({ spec, ids, baseUrl, most, seed }) => {
    const target = makeTarget(spec, ids, baseUrl);
    return {
      spec,
      target,
      requests: makePlan(spec, catalogue, target, { requests: most, keyed: most }, { seed }).requests,
    };
  });

function isOfManner(pair: string): boolean {
  return pair.split(' & ').every((value) => factorNames.some((factor) => value.startsWith(`${factor} `)));
}

test('a request means the same in whatever manner it is sent', () => {
  fc.assert(
    fc.property(plans, ({ spec, target, requests }) => {
      const readMeaning = (planned: PlannedRequest): unknown => {
        const made = makeRequest(planned, { spec, target, keys, moment, exchanges: [] });
        const url = `${target.baseUrl}${made?.path}`;
        const read = recognizeRequest(spec, target.baseUrl, {
          method: 'GET',
          url,
          headers: [],
          credential: 'api-key',
        });
        return read;
      };
      for (const planned of requests.filter(({ manner }) => manner))
        expect(readMeaning(planned)).toEqual(readMeaning({ ...planned, manner: undefined }));
    }),
    { numRuns: 40 },
  );
});

test('nights that are planned as one cover more than as many runs that are not', () => {
  const spec = documents[0] as Spec;
  const target = makeTarget(spec, [1, 2], 'https://127.0.0.1:8443');
  const measure = (plans: readonly { readonly requests: readonly PlannedRequest[] }[]) =>
    measureCoverage(
      spec,
      plans.flatMap(({ requests }) => [...requests]),
      true,
    );
  for (const nights of [2, 3, 5]) {
    const planned = planNights(spec, catalogue, target, usualSize, { seed: 1, nights });
    const alone = planned.map((_, at) => makePlan(spec, catalogue, target, usualSize, { seed: at + 1 }));
    const [together, apart] = [measure(planned), measure(alone)];
    expect(together.pairs.covered).toBeGreaterThan(apart.pairs.covered);
    expect(together.triples.covered).toBeGreaterThan(1.03 * apart.triples.covered);
    const all = planned.flatMap(({ requests }) => [...requests]);
    expect(together.triples.covered).toBeGreaterThan(0.95 * countReachableTriples(spec, all, true));
    const last = makePlan(spec, catalogue, target, usualSize, { seed: nights, nights });
    expect(last).toEqual(planned.at(-1));
  }
});

test('a plan covers nearly all pairs and triples that its requests can have', () => {
  fc.assert(
    fc.property(plans, ({ spec, target, requests }) => {
      const varied = requests.filter(({ manner }) => manner);
      const mayVaryAgent = isLoopback(target.baseUrl);
      const { pairs, triples, uncovered } = measureCoverage(spec, requests, mayVaryAgent);
      expect(pairs.covered).toBeLessThanOrEqual(pairs.possible);
      expect(triples.covered).toBeLessThanOrEqual(triples.possible);
      expect(uncovered.length).toBeGreaterThanOrEqual(pairs.possible - pairs.covered);
      if (varied.length < 20) return;
      expect(uncovered.filter(isOfManner).length).toBeLessThanOrEqual(2);
      expect(pairs.covered / pairs.possible).toBeGreaterThan(0.93);
      const reachable = countReachableTriples(spec, requests, mayVaryAgent);
      expect(triples.covered).toBeLessThanOrEqual(reachable);
      expect(triples.covered).toBeGreaterThan(0.9 * reachable);
    }),
    { numRuns: 60 },
  );
});

test('a target elsewhere meets no agent but ours', () => {
  fc.assert(
    fc.property(plans, ({ target, requests }) => {
      if (isLoopback(target.baseUrl)) return;
      for (const { manner } of requests) expect(manner?.agent ?? 'ours').toBe('ours');
    }),
    { numRuns: 40 },
  );
});

test('what closes a bracket is requested under the URL that opened it', () => {
  fc.assert(
    fc.property(plans, ({ spec, target, requests }) => {
      const paths = requests.map((planned) =>
        makeRequest(planned, { spec, target, keys, moment, exchanges: [] }),
      );
      for (const [at, { need }] of requests.entries()) {
        if (!need.again) continue;
        const { again: _, ...opened } = need;
        const first = requests.findIndex((other) => JSON.stringify(other.need) === JSON.stringify(opened));
        if (first >= 0) expect(paths[at]?.path).toBe(paths[first]?.path);
      }
    }),
    { numRuns: 40 },
  );
});

test('the seed draws among plans: three nights cover more triples than one', () => {
  const [spec] = documents as [Spec];
  const target = makeTarget(spec, [1, 3], 'https://127.0.0.1');
  const nights = [1, 2, 3].map((seed) => makePlan(spec, catalogue, target, usualSize, { seed }).requests);
  const [one, three] = [nights[0] ?? [], nights.flat()].map((requests) =>
    measureCoverage(spec, requests, true),
  );
  expect(three?.triples.covered).toBeGreaterThan(1.1 * (one?.triples.covered ?? 0));
  expect(three?.pairs.covered).toBeGreaterThan(one?.pairs.covered ?? 0);
});
