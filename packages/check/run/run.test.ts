import { loadSpec } from '@candleproof/document/spec/load-spec';
import { choose } from '@candleproof/law/rules/catalogue';
import { expect, test } from '@playwright/test';
import { baseUrl, type ScriptedReply, scriptedClient } from '../testing/scripted-client.ts';
import { type FirstJudged, runConformance } from './run.ts';

const spec = loadSpec('openapi.yaml');

const token =
  '{"id":"0.0.1","icon":"/a.svg","symbol":"A","decimals":8,"price":"1","priceUsd":1,"dueDiligenceComplete":true,"isFeeOnTransferToken":false}';

const headers: [string, string][] = [['content-type', 'application/json']];
const tokens = (body = `[${token}]`): ScriptedReply => ({ status: 200, body, headers });

function run(
  answer: Parameters<typeof scriptedClient>[0],
  names: string[],
  budget?: number,
  onFirstJudged?: (first: FirstJudged) => void,
) {
  const client = scriptedClient(answer);
  const outcome = runConformance({
    spec,
    client,
    keys: { apiKey: 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF' },
    target: { name: 't', baseUrl, pools: { v1: [1], v2: [1] }, keyless: false, soleUser: true },
    seed: 1,
    budget,
    catalogue: choose(names).chosen,
    replay: (rule) => rule,
    version: 'test',
    pauseMs: 1,
    patienceMs: 1_000,
    onFirstJudged,
  });
  return outcome.then((result) => ({ ...result, sent: client.sent }));
}

test('a failure that passes is requested again and leaves no trace in the verdict', async () => {
  const { run: result, sent } = await run(
    (_request, count) => (count === 1 ? { status: 503 } : tokens()),
    ['tokens/answer-is-a-list', 'transport/proper-requests-are-answered'],
  );
  expect(result.findings).toEqual([]);
  expect(sent[1]).toMatchObject({ path: sent[0]?.path, freshConnection: true });
});

test('a failure of one operation that persists while others answer is its finding', async () => {
  const { run: result } = await run(
    ({ path }) => (path === '/tokens' ? { failure: 'reset', phase: 'receive' } : { status: 404 }),
    ['transport/proper-requests-are-answered'],
  );
  expect(result.findings).toMatchObject([
    {
      rule: 'transport/proper-requests-are-answered',
      operation: 'listTokens',
      actual: expect.stringContaining('reset'),
    },
  ]);
});

test('a target that lets nobody connect is left alone after three attempts', async () => {
  const { run: result, sent } = await run(() => ({ failure: 'refused', phase: 'connect' }), ['transport']);
  expect(result).toMatchObject({ verdict: 'inconclusive', findings: [] });
  expect(sent).toHaveLength(3);
});

test('a certificate that is not trusted is requested once', async () => {
  const { run: result, sent } = await run(() => ({ failure: 'certificate', phase: 'tls' }), ['transport']);
  expect(result).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('certificate') });
  expect(sent).toHaveLength(1);
});

test('a refused key stops the run and is inconclusive', async () => {
  const { run: result, sent } = await run(() => ({ status: 401, body: '{}' }), ['transport', 'tokens']);
  expect(result).toMatchObject({ verdict: 'inconclusive', reason: 'the API key was refused (status 401)' });
  expect(sent).toHaveLength(3);
});

test('a key that is refused in the middle of a run leaves no verdict on the rest', async () => {
  const { run: result } = await run(
    (_request, count) => (count === 1 ? tokens() : { status: 401, body: '{}' }),
    ['tokens', 'candle'],
  );
  expect(result).toMatchObject({ verdict: 'inconclusive', reason: 'the API key was refused (status 401)' });
});

test('a single refusal among answers is requested again and is a failed should', async () => {
  const { run: result } = await run(
    (_request, count) => (count === 1 ? { status: 401, body: '{}' } : tokens()),
    ['tokens/answer-is-a-list', 'transport/answered-at-first'],
  );
  expect(result.findings).toMatchObject([{ rule: 'transport/answered-at-first', level: 'should', count: 1 }]);
});

test('an operation that hangs is found although it is requested first', async () => {
  const { run: result } = await run(
    ({ path }) => (path.includes('/latest/') ? { failure: 'timeout', phase: 'wait' } : tokens()),
    ['transport/proper-requests-are-answered', 'latest/answer-is-one-candle'],
  );
  expect(result.findings).toMatchObject([{ operation: 'getLatestV1PoolCandle', pointer: 'status' }]);
});

test('a spent quota is inconclusive, never the fault of the target', async () => {
  const { run: result, sent } = await run(() => ({ status: 429 }), ['tokens', 'candle']);
  expect(sent).toHaveLength(3);
  expect(result).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('429'),
    findings: [],
  });
});

test('a target that asks to come back in an hour is left alone at once', async () => {
  const { run: result, sent } = await run(
    () => ({ status: 429, headers: [['retry-after', '3600']] }),
    ['tokens', 'candle'],
  );
  expect(sent).toHaveLength(1);
  expect(result.verdict).toBe('inconclusive');
});

test('a breach that stays is found and requested again once', async () => {
  const { run: result, sent } = await run(() => tokens(`[${token},${token}]`), ['tokens/ids-are-unique']);
  expect(sent).toHaveLength(2);
  expect(result.findings).toMatchObject([{ rule: 'tokens/ids-are-unique', intermittent: false }]);
});

test('a breach that goes away is found and marked intermittent', async () => {
  const { run: result } = await run(
    (_request, count) => tokens(count === 1 ? `[${token},${token}]` : `[${token}]`),
    ['tokens/ids-are-unique'],
  );
  expect(result.findings).toMatchObject([{ rule: 'tokens/ids-are-unique', intermittent: true }]);
});

test('no run sends more than its budget, whatever it finds', async () => {
  for (const budget of [1, 2, 5]) {
    const { sent } = await run(() => ({ status: 503 }), ['transport', 'tokens', 'candle'], budget);
    expect(sent.length).toBeLessThanOrEqual(budget);
  }
});

test('a target that needs no key is requested without one where none is at hand', async () => {
  const client = scriptedClient(() => tokens());
  const { run: result } = await runConformance({
    spec,
    client,
    keys: {},
    target: { name: 't', baseUrl, pools: { v1: [], v2: [] }, keyless: true, soleUser: false },
    seed: 1,
    catalogue: choose(['tokens/answer-is-a-list', 'authentication/key-is-required']).chosen,
    replay: (rule) => rule,
    version: 'test',
    pauseMs: 1,
    patienceMs: 1_000,
  });
  expect(client.sent).toEqual([expect.objectContaining({ path: '/tokens', credential: 'none' })]);
  expect(result.verdict).toBe('conformant');
});

test('a rule that the budget left without evidence says so, and one that nothing kept back does not', async () => {
  const names = ['tokens/answer-is-a-list', 'authentication/key-is-required'];
  const { run: curbed } = await run(() => tokens(), names, 1);
  expect(curbed.rules.find(({ id }) => id === names[1])).toMatchObject({
    outcome: 'unexercised',
    reason: 'not requested within 1 request',
    beyondBudget: true,
  });
  const refusing = await run(({ credential }) => (credential === 'none' ? { status: 401 } : tokens()), names);
  expect(refusing.run.rules.filter((rule) => rule.beyondBudget)).toEqual([]);
  expect(refusing.run.unchosen).toBeGreaterThan(50);
});

test('a run keeps the key’s month as the last answer to that key reported it', async () => {
  const month = (remaining: number, additional: number): [string, string][] => [
    ['x-ratelimit-limit', '20'],
    ['x-ratelimit-remaining', String(remaining)],
    ['x-ratelimit-additional-total', String(additional)],
    ['x-ratelimit-reset', '1775015999999'],
  ];
  const { run: result } = await run(
    ({ credential }, count) =>
      credential === 'none'
        ? { status: 401, headers: month(7, 0) }
        : { ...tokens(), headers: [...headers, ...month(0, count)] },
    ['tokens/answer-is-a-list', 'authentication/key-is-required'],
  );
  expect(result.quota).toMatchObject({ limit: 20, remaining: 0 });
  expect(result.quota?.additional).toBeGreaterThan(0);
  const { run: silent } = await run(() => tokens(), ['tokens/answer-is-a-list']);
  expect(silent.quota).toBeUndefined();
});

test('a rule that only a thorough run asks for says so, and one with more to ask for does not', async () => {
  const { run: result } = await run(
    () => tokens('[]'),
    ['authentication/header-name-in-any-case', 'rollup/average-is-the-mean'],
  );
  expect(result.rules.map(({ outcome, reason }) => `${outcome}: ${reason}`)).toEqual([
    'unexercised: only requested with --thorough',
    'unexercised: not testable by these answers',
  ]);
});

test('after ten requests it is reported how many rules are broken so far', async () => {
  const reported: FirstJudged[] = [];
  const refuse: Parameters<typeof scriptedClient>[0] = ({ path }) =>
    path === '/tokens' ? tokens('[{"id":1}]') : { status: 404, body: '{}', headers };
  const { sent } = await run(refuse, ['tokens', 'candle', 'history'], undefined, (first) =>
    reported.push(first),
  );
  expect(reported).toEqual([{ broken: expect.any(Number), sent: expect.any(Number) }]);
  const [first] = reported;
  expect(first?.broken).toBeGreaterThan(0);
  expect(first?.sent).toBeGreaterThanOrEqual(10);
  expect(first?.sent).toBeLessThan(sent.length);
});
