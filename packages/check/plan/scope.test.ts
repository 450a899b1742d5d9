import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { catalogue } from '@candleproof/law/rules/catalogue';
import {
  detours,
  nearMisses,
  otherPlaces,
  steadyCases,
  strayPaths,
} from '@candleproof/law/rules/error-cases';
import { spec } from '@candleproof/law/worlds/breach-case';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { makePlan } from './plan.ts';
import type { Scope } from './scope.ts';

const remote: TargetFacts = {
  name: 'target',
  baseUrl: 'https://target.invalid',
  pools: { v1: [1], v2: [1] },
  keyless: false,
  soleUser: false,
};

const local = { ...remote, baseUrl: 'https://127.0.0.1:8443', soleUser: true };
const anySeed = fc.nat(2 ** 31 - 1);

const planned = (target: TargetFacts, scope: Scope, most = 999) =>
  makePlan(spec, catalogue, target, { requests: most, keyed: most }, scope).requests;
const listTrials = (target: TargetFacts, scope: Scope) =>
  planned(target, scope).flatMap(({ need }) => need.trial ?? []);
const listCases = (target: TargetFacts, scope: Scope) =>
  planned(target, scope).flatMap(({ need }) => need.errorCase ?? []);

/** Wrong keys and detours of a run. */
const listAccessTrials = (target: TargetFacts, scope: Scope): string[] => [
  ...listTrials(target, scope).filter((trial) => (nearMisses as readonly string[]).includes(trial)),
  ...listCases(target, scope).filter((testCase) => (ways as readonly string[]).includes(testCase)),
];

/** Ways around the key. */
const ways = [...detours, ...strayPaths];

/** Every wrong key and way around the key but SQL, which is for loopback alone. */
const everyTrial = [...nearMisses, ...ways].filter((trial) => trial !== 'quoted').sort();

test('away from loopback a run tries no key, a key never issued and one more trial, another with another seed', () => {
  const tried = new Set<string>();
  for (let seed = 0; seed < 120 && tried.size < everyTrial.length; seed++) {
    const trials = listAccessTrials(remote, { seed });
    expect(trials).toHaveLength(3);
    expect(trials).toEqual(expect.arrayContaining(['empty', 'random']));
    for (const trial of trials) tried.add(trial);
  }
  expect([...tried].sort()).toEqual(everyTrial);
});

test('away from loopback the real key stands in its own header alone, unless the caller exposes it', () => {
  for (const scope of [{ seed: 1 }, { seed: 1, thorough: true }]) {
    expect(
      listTrials(remote, scope).filter((trial) => (otherPlaces as readonly string[]).includes(trial)),
    ).toEqual([]);
  }
  expect(listTrials(remote, { seed: 1, exposeKey: true })).toEqual(expect.arrayContaining([...otherPlaces]));
});

test('a thorough run away from loopback tries every key and sends at once', () => {
  const scope = { seed: 1, thorough: true };
  expect(listAccessTrials(remote, scope).sort()).toEqual(everyTrial);
  expect(planned(remote, scope).some((plannedRequest) => plannedRequest.together)).toBe(true);
  expect(planned(remote, { seed: 1 }).some((plannedRequest) => plannedRequest.together)).toBe(false);
});

test('on loopback one key of each kind and every way around it are tried, the rest by turns', () => {
  const usual = listAccessTrials(local, { seed: 0 });
  expect(usual).toEqual(
    expect.arrayContaining([
      ...['empty', 'random', 'last-character-missing', 'one-character-more', 'other-last-character'],
      ...['other-case', 'good-beginning', 'null-word', 'quoted', ...ways],
    ]),
  );
  const nights = Array.from({ length: 10 }, (_, seed) => listAccessTrials(local, { seed }));
  for (const trials of nights) expect(trials).toHaveLength(usual.length);
  expect([...new Set(nights.flat())].sort()).toEqual([...everyTrial, 'quoted'].sort());
  expect(listTrials(local, { seed: 1 })).toEqual(expect.arrayContaining([...otherPlaces]));
});

test('six faulty requests are requested, always those that every run shares', () => {
  fc.assert(
    fc.property(anySeed, fc.constantFrom(remote, local), (seed, target) => {
      const cases = listCases(target, { seed }).filter(
        (testCase) => !(ways as readonly string[]).includes(testCase),
      );
      expect(new Set(cases).size).toBe(steadyCases.length + 1);
      expect(cases).toEqual(expect.arrayContaining([...steadyCases]));
    }),
    { numRuns: 30 },
  );
});

test('nothing but POST could change anything away from loopback', () => {
  fc.assert(
    fc.property(anySeed, (seed) => {
      expect(listCases(remote, { seed }).filter((testCase) => /put|patch|delete/.test(testCase))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test('a keyless target gets no trials and no refusals without a key', () => {
  const keyless = { ...local, keyless: true };
  const refused = planned(keyless, { seed: 3, thorough: true }).filter(
    ({ need, credential }) => need.trial || need.unkeyed || (credential === 'none' && !need.plainHttp),
  );
  expect(refused).toEqual([]);
});

test('the second key is requested with only where there is one', () => {
  expect(listTrials(local, { seed: 1, hasOtherKey: true })).toContain('other-key');
  expect(listTrials(local, { seed: 1 })).not.toContain('other-key');
});

test('a default run on loopback keeps to eighty requests and tries every kind of must', () => {
  const requests = planned(local, { seed: 1 }, 80);
  expect(requests.length).toBeLessThanOrEqual(80);
  const trials = requests.filter(({ need }) => need.trial ?? need.errorCase?.startsWith('unkeyed-'));
  expect(trials.length).toBeGreaterThanOrEqual(19);
  expect(requests.filter(({ need }) => need.unkeyed)).toHaveLength(10);
  expect(requests.some(({ need }) => need.plainHttp)).toBe(true);
  expect(requests.filter(({ need }) => need.errorCase).length).toBeGreaterThanOrEqual(3);
});

test('requests that are sent at once stand together, between answers that count', () => {
  const requests = planned(local, { seed: 1 });
  const places = requests.flatMap((request, place) => (request.together ? [place] : []));
  expect(places.length).toBeGreaterThanOrEqual(8);
  expect((places.at(-1) ?? 0) - (places[0] ?? 0)).toBe(places.length - 1);
  const after = requests[(places.at(-1) ?? 0) + 1];
  expect(after).toMatchObject({ credential: 'api-key', need: { speltOtherwise: true } });
});
