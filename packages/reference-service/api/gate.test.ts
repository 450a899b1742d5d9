import { expect, test } from '@playwright/test';
import { buildRig, findHeader, type TextReply } from '../testing/rig.ts';
import { QUOTA_HEADERS } from './admission/quota.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
const HISTORY = '/v2/pools/conversionRates/1?interval=HOUR&from=1795000000&to=1795260000';
const LATEST = '/pools/conversionRates/latest/0?interval=HOUR';
const rig = buildRig({ now: NOW });
const problemCode = (reply: TextReply): unknown => JSON.parse(reply.body).code;

test('checks run from path and key to parameters and pool', () => {
  const stranger = { apiKey: undefined };
  const cases: [string, Parameters<typeof rig.ask>[1], number, string][] = [
    ['/nowhere?interval=bad', stranger, 404, 'unknown-path'],
    [HISTORY, { ...stranger, method: 'DELETE' }, 405, 'method-not-allowed'],
    ['/v2/pools/conversionRates/zzz', stranger, 401, 'key-required'],
    ['/v2/pools/conversionRates/999?interval=bad', {}, 400, 'invalid-parameters'],
    ['/v2/pools/conversionRates/999?interval=DAY&from=1&to=2', {}, 404, 'unknown-pool'],
    [`/tokens?${'x'.repeat(2100)}`, {}, 414, 'target-too-long'],
  ];
  for (const [target, request, status, code] of cases) {
    const reply = rig.ask(target, request);
    expect([target, reply.status, problemCode(reply)]).toEqual([target, status, code]);
  }
});

test('every answer carries each rate limit header once', () => {
  const replies = [
    ...['/tokens', LATEST, HISTORY, '/nowhere', '/v2/pools/conversionRates/1'].map((target) =>
      rig.ask(target),
    ),
    ...['POST', 'OPTIONS', 'HEAD'].map((method) => rig.ask('/tokens', { method })),
    rig.ask('/tokens', { apiKey: 'wrong' }),
    rig.ask('/tokens', { ifNoneMatch: '*' }),
  ];
  for (const { headers, status } of replies) {
    const quota = headers.filter(([name]) => name.startsWith('x-ratelimit'));
    expect(
      quota.map(([name]) => name),
      `${status}`,
    ).toEqual([...QUOTA_HEADERS]);
    for (const [, value] of quota) expect(value).toMatch(/^\d+$/);
  }
});

test('all refused keys get the same body and no counters', () => {
  const bodies = [undefined, '', 'x'.repeat(32), rig.key.slice(0, -1), `${rig.key}, ${rig.key}`].map(
    (apiKey) => {
      const reply = rig.ask(HISTORY, { apiKey });
      expect(findHeader(reply, 'x-ratelimit-limit')).toBe('0');
      expect(findHeader(reply, 'www-authenticate')).toContain('ApiKey');
      const { requestId: _id, instance: _instance, ...rest } = JSON.parse(reply.body);
      return JSON.stringify(rest);
    },
  );
  expect(new Set(bodies).size).toBe(1);
});

test('a request with a key of the other network is counted', () => {
  const { keys } = rig.store;
  const network = 'testnet' as const;
  const apiKey = keys.issue({ monthlyLimit: 9, hardCap: false, network });
  const reply = rig.ask('/tokens', { apiKey });
  expect([reply.status, problemCode(reply)]).toEqual([403, 'other-network']);
  expect(findHeader(reply, 'x-ratelimit-remaining')).toBe('8');
});

test('a revoked key is refused as an unknown one', () => {
  const { keys } = rig.store;
  const apiKey = keys.issue({ monthlyLimit: 9, hardCap: false });
  expect(rig.ask('/tokens', { apiKey }).status).toBe(200);
  keys.revoke(keys.find(apiKey)?.key ?? 0);
  const reply = rig.ask('/tokens', { apiKey });
  expect([reply.status, problemCode(reply)]).toEqual([401, 'key-required']);
  expect(findHeader(reply, 'x-ratelimit-limit')).toBe('0');
});

test('a key outside the header is ignored', () => {
  for (const name of ['x-api-key', 'apiKey', 'key']) {
    const reply = rig.ask(`${LATEST}&${name}=${rig.key}`, { apiKey: undefined });
    expect([reply.status, reply.body.includes(rig.key)]).toEqual([401, false]);
  }
});

test('a problem body lists every mistake', () => {
  const reply = rig.ask('/v2/pools/conversionRates/1.0?interval=hour&from=-5&to=1795260000000&inverted=1');
  const problem = JSON.parse(reply.body);
  expect(findHeader(reply, 'content-type')).toBe('application/problem+json');
  expect(problem).toMatchObject({ title: 'Bad Request', status: 400, code: 'invalid-parameters' });
  expect(problem.errors.map((error: { name: string }) => error.name)).toEqual(
    expect.arrayContaining(['poolId', 'interval', 'from', 'to', 'inverted']),
  );
  expect(problem.requestId).toBe(findHeader(reply, 'x-request-id'));
});

test('an unchanged answer is confirmed without its body', () => {
  const tag = findHeader(rig.ask(HISTORY), 'etag') ?? '';
  for (const ifNoneMatch of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const reply = rig.ask(HISTORY, { ifNoneMatch });
    expect([reply.status, reply.body, findHeader(reply, 'etag')]).toEqual([304, '', tag]);
  }
  expect(rig.ask(`${HISTORY}&inverted=true`, { ifNoneMatch: tag }).status).toBe(200);
});

test('a browser can send a preflight request without a key', () => {
  const reply = rig.ask(HISTORY, { method: 'OPTIONS', apiKey: undefined });
  expect(reply.status).toBe(204);
  expect(findHeader(reply, 'access-control-allow-headers')).toContain('x-api-key');
  expect(findHeader(rig.ask('/tokens'), 'access-control-expose-headers')).toContain('x-ratelimit-reset');
});

test('paths may have one trailing slash and no other variation', () => {
  expect(rig.ask('/tokens/').status).toBe(200);
  expect(rig.ask('/pools/conversionRates/latest/0/?interval=DAY').status).toBe(200);
  for (const path of [
    '//tokens',
    '/tokens//',
    '/Tokens',
    '/V2/pools/conversionRates/1',
    '/pools/conversionRates/0',
  ]) {
    expect(rig.ask(path).status, path).toBe(404);
  }
});

test('the date is that of the service clock', () => {
  expect(findHeader(rig.ask('/tokens'), 'date')).toBe('Sat, 21 Nov 2026 11:37:12 GMT');
});

test('logs name the answer but never the key', () => {
  const lines: string[] = [];
  const keep = (fields: object, message: string): unknown =>
    lines.push(JSON.stringify({ ...fields, message }));
  const logged = buildRig({ now: NOW, logger: { debug: keep, info: keep, error: keep } });
  logged.ask(`/tokens?x-api-key=${logged.key}`);
  logged.ask(`/${logged.key}`);
  expect(lines.length).toBe(2);
  expect(lines.join()).toContain('listTokens');
  expect(lines.join()).not.toContain(logged.key);
});
