import { loadSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import { usualManner } from '../plan/manner.ts';
import { baseUrl, type ScriptedReply, scriptedClient } from '../testing/scripted-client.ts';
import { Requester } from './requester.ts';

const spec = loadSpec('openapi.yaml');
const target = { name: 'any', baseUrl, pools: { v1: [1], v2: [1] }, keyless: false, soleUser: true };
const past = { path: '/v2/pools/conversionRates/1?from=1771372800&to=1773187200&interval=DAY' };
const present = { path: '/v2/pools/conversionRates/1?from=1771372800&to=1899999999&interval=DAY' };
const latest = { path: '/pools/conversionRates/latest/1?interval=DAY' };

function openRequester(answer: (count: number) => ScriptedReply, budget = 20) {
  const client = scriptedClient((_, count) => answer(count));
  return {
    client,
    requester: new Requester({ spec, target, client, hasKey: true, seed: 1, budget, pauseMs: 0 }),
  };
}

const served = (): ScriptedReply => ({ status: 200, body: '[]' });

test('what lies in the past is requested once, the present every time', async () => {
  const { client, requester } = openRequester(served);
  await requester.begin();
  expect(requester.countUnsent([past, present])).toBe(2);
  await requester.ask([past, present, latest]);
  expect(requester.countUnsent([past, present, latest])).toBe(2);
  const { exchanges } = await requester.ask([past, present, latest]);
  expect(exchanges.map(({ request }) => request.url.slice(baseUrl.length))).toEqual(
    [past, present, latest].map(({ path }) => path),
  );
  expect(client.sent).toHaveLength(6);
});

test('a refused key ends an exploration before it begins', async () => {
  const { client, requester } = openRequester(() => ({ status: 401 }));
  expect(await requester.begin()).toMatch(/key was refused/);
  expect(client.sent).toHaveLength(1);
});

test('what failed is requested again, and a target that is gone is given up', async () => {
  const { client, requester } = openRequester((count) => (count === 2 ? { status: 502 } : served()));
  await requester.begin();
  const { exchanges } = await requester.ask([past]);
  expect(exchanges.map(({ response }) => response?.status)).toEqual([502, 200]);
  expect(client.sent).toHaveLength(3);
  const gone = openRequester((count) => (count === 1 ? served() : { failure: 'refused', phase: 'connect' }));
  await gone.requester.begin();
  for (let round = 0; round < 10; round++) await gone.requester.ask([present]);
  expect(gone.client.sent).toHaveLength(7);
  expect(gone.requester.left).toBe(0);
});

test('no more is sent than the budget allows', async () => {
  const { client, requester } = openRequester(served, 3);
  await requester.begin();
  for (let round = 0; round < 5; round++) await requester.ask([present, latest]);
  expect(client.sent).toHaveLength(3);
});

const browser = { ...usualManner, agent: 'browser' } as const;

function agentSent(headers: readonly (readonly [string, string])[] | undefined): string | undefined {
  return headers?.find(([name]) => name === 'user-agent')?.[1].slice(0, 7);
}

test('what is repeated in its batch is sent once more, alone or after a refusal, and then known', async () => {
  const { client, requester } = openRequester(served);
  await requester.begin();
  const refused = { ...past, credential: 'none' } as const;
  expect(requester.countUnsent([past, past, past])).toBe(3);
  await requester.ask([past, past, past]);
  expect(requester.countUnsent([past, past, past])).toBe(0);
  expect(requester.countUnsent([past, refused, past])).toBe(2);
  await requester.ask([past, refused, past]);
  expect(client.sent.map(({ credential }) => credential).slice(-2)).toEqual(['none', 'api-key']);
  expect(requester.countUnsent([past, { ...past, manner: browser }])).toBe(1);
});

test('a manner that a front refuses is given up after one request in the usual one', async () => {
  const front = scriptedClient(({ headers }) => ({ status: agentSent(headers) ? 403 : 200, body: '[]' }));
  const guarded = new Requester({
    spec,
    target,
    client: front,
    hasKey: true,
    seed: 1,
    budget: 20,
    pauseMs: 0,
  });
  await guarded.begin();
  await guarded.ask([{ ...past, manner: browser }]);
  await guarded.ask([{ ...present, manner: browser }]);
  expect(front.sent.map(({ headers }) => agentSent(headers))).toEqual([
    undefined,
    'Mozilla',
    undefined,
    undefined,
  ]);
});

test('a wrong key is made of the good one, and none is tried without', async () => {
  const { client, requester } = openRequester(served);
  const trial = { ...past, credential: 'trial:empty', trial: 'empty' } as const;
  await requester.ask([trial]);
  expect(client.sent).toHaveLength(0);
  const keyed = new Requester({
    ...{ spec, target, client, hasKey: true, seed: 1, budget: 20, pauseMs: 0 },
    keys: { apiKey: 'good' },
  });
  await keyed.ask([trial]);
  expect(client.sent).toMatchObject([{ credential: 'trial:empty', trialKey: '' }]);
});
