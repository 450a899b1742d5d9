import type { SendRequest } from '@candleproof/client/send/request-lines';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { catalogue, choose } from '@candleproof/law/rules/catalogue';
import { expect, test } from '@playwright/test';
import { runConformance } from '../run/run.ts';
import { baseUrl, type ScriptedReply, scriptedClient } from '../testing/scripted-client.ts';

const spec = loadSpec('openapi.yaml');
const token =
  '{"id":"0.0.1","icon":"/a.svg","symbol":"A","decimals":8,"price":"1","priceUsd":1,"dueDiligenceComplete":true,"isFeeOnTransferToken":false}';

/** Returns a month's counters after `used` requests. */
function quota(used: number, limit = 1000): [string, string][] {
  return [
    ['x-ratelimit-limit', String(limit)],
    ['x-ratelimit-remaining', String(Math.max(0, limit - used))],
    ['x-ratelimit-additional-total', String(Math.max(0, used - limit))],
    ['x-ratelimit-reset', String(Date.parse('2026-04-01T00:00:00Z') - 1)],
  ];
}

const json: [string, string] = ['content-type', 'application/json'];
const tokens = (used: number, limit?: number): ScriptedReply => ({
  status: 200,
  body: `[${token}]`,
  headers: [json, ...quota(used, limit)],
});
const refusal = (status: number, used = 0): ScriptedReply => ({
  status,
  body: '{}',
  headers: [json, ...quota(used)],
});

/** A header's name has no case. */
const good = ['api-key', 'trial:header-in-capitals'];

function isRight({ path, credential, method = 'GET', plainHttp }: SendRequest): boolean {
  return path === '/tokens' && good.includes(credential) && method === 'GET' && !plainHttp;
}

async function run(
  answer: Parameters<typeof scriptedClient>[0],
  law = choose(['tokens', 'errors', 'authentication', 'transport', 'quota']).chosen,
  budget?: number,
) {
  const client = scriptedClient(answer);
  const { run: result } = await runConformance({
    spec,
    client,
    keys: { apiKey: 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF' },
    target: { name: 't', baseUrl, pools: { v1: [], v2: [] }, keyless: false, soleUser: true },
    seed: 1,
    thorough: true,
    exposeKey: true,
    catalogue: law,
    budget,
    replay: (rule) => rule,
    version: 'test',
    pauseMs: 1,
    patienceMs: 1_000,
  });
  return { ...result, sent: client.sent };
}

for (const status of [401, 403, 404, 429]) {
  test(`faulty requests, trials and POST answered ${status} neither end a run nor are repeated`, async () => {
    const { verdict, findings, reason, sent } = await run((request, count) =>
      isRight(request) ? tokens(count) : refusal(status, count),
    );
    expect(findings).toEqual([]);
    // A limit shows no refusal of a key, so that the musts of access stay unjudged.
    expect(verdict, reason).toBe(status === 429 ? 'inconclusive' : 'conformant');
    const keys = sent.map((sendRequest) =>
      JSON.stringify([sendRequest.method, sendRequest.path, sendRequest.credential, sendRequest.plainHttp]),
    );
    // The token list is requested twice.
    expect(new Set(keys).size).toBe(keys.length - 1);
    const guesses = sent.filter(
      ({ credential }) => credential.startsWith('trial:') && !good.includes(credential),
    ).length;
    // A target that answers 429 without the key is sent no more without it.
    expect(status === 429 ? guesses === 0 : guesses > 8, `${guesses}`).toBe(true);
  });
}

test('a given budget from which nothing has to be requested again pays for further refusals', async () => {
  const law = choose(['tokens', 'errors', 'authentication']).chosen;
  const sound = await run(
    (request, count) => (isRight(request) ? tokens(count) : refusal(401, count)),
    law,
    24,
  );
  expect(sound.findings).toEqual([]);
  expect(sound.sent.length).toBeGreaterThan(20);
  expect(sound.sent.length).toBeLessThanOrEqual(24);
  const [one, other] = [sound.sent.slice(0, 20), sound.sent.slice(20)];
  for (const { credential, path } of other)
    expect(
      one.some((sent) => sent.credential === credential && sent.path === path && sent.method === 'GET'),
    ).toBe(false);
});

test('a faulty request that breaks the server is requested twice and found', async () => {
  const { findings, sent } = await run(
    (request, count) =>
      isRight(request) ? tokens(count) : request.path.includes('?limit') ? refusal(500) : refusal(401),
    choose(['errors/no-server-error', 'tokens/answer-is-a-list', 'tokens/queries']).chosen,
  );
  const requested = sent.filter((sendRequest) => sendRequest.path.includes('?limit'));
  expect(findings.map((finding) => finding.rule)).toEqual(
    requested.length > 0 ? ['errors/no-server-error'] : [],
  );
  expect(requested.length).toBeLessThanOrEqual(2);
});

test('a POST that succeeds is requested again as the POST that it was', async () => {
  const { findings, sent } = await run(
    (request, count) => (request.method === 'POST' ? tokens(count) : tokens(count)),
    choose(['transport/other-methods-are-refused', 'tokens/answer-is-a-list']).chosen,
  );
  expect(findings).toMatchObject([{ rule: 'transport/other-methods-are-refused', intermittent: false }]);
  expect(sent.filter((sendRequest) => sendRequest.method === 'POST')).toHaveLength(2);
});

test('a trial that succeeds is requested again with the key that it tried', async () => {
  const { verdict, sent } = await run(
    (_request, count) => tokens(count),
    choose(['authentication/wrong-keys-are-refused', 'tokens/answer-is-a-list']).chosen,
  );
  expect(verdict).toBe('nonconformant');
  const trials = sent.filter((sendRequest) => sendRequest.credential === 'trial:random');
  expect(trials.map((trial) => trial.trialKey)).toEqual([trials[0]?.trialKey, trials[0]?.trialKey]);
});

test('plain HTTP is tried once, without a key, whatever comes of it', async () => {
  const { verdict, sent } = await run(
    (request, count) => (request.plainHttp ? { failure: 'refused', phase: 'connect' } : tokens(count)),
    choose(['transport/no-data-over-plain-http', 'tokens/answer-is-a-list']).chosen,
  );
  expect(verdict).toBe('conformant');
  expect(sent.filter((sendRequest) => sendRequest.plainHttp)).toMatchObject([
    { credential: 'none', path: '/tokens' },
  ]);
});

test('a key that is refused from the second answer on decides nothing', async () => {
  const { verdict, reason, findings } = await run(
    (_request, count) => (count === 1 ? tokens(1) : refusal(401)),
    catalogue,
  );
  expect(findings).toEqual([]);
  expect(verdict).not.toBe('nonconformant');
  expect(reason ?? '').not.toMatch(/must/);
});
