import { expect, test } from '@playwright/test';
import { buildRig, findHeader } from '../../testing/rig.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37);
/** Returns `[limit, remaining, additional total]` as the headers of a reply have them, such as `['2', '0', '1']`. */
const numbers = (reply: Parameters<typeof findHeader>[0]): (string | undefined)[] =>
  ['limit', 'remaining', 'additional-total'].map((name) => findHeader(reply, `x-ratelimit-${name}`));

test('a burst beyond the limit is refused and not counted', () => {
  const rig = buildRig({ now: NOW, allowance: { monthlyLimit: 99, hardCap: false, burst: 4 } });
  const burst = Array.from({ length: 6 }, () => rig.ask('/tokens'));
  expect(burst.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429]);
  expect(burst.map((reply) => numbers(reply)[1])).toEqual(['98', '97', '96', '95', '95', '95']);
  expect(burst.slice(4).map((reply) => findHeader(reply, 'retry-after'))).toEqual(['1', '1']);
  rig.now += 250;
  expect([rig.ask('/tokens').status, rig.ask('/tokens').status]).toEqual([200, 429]);
  rig.now -= 3_600_000;
  expect(rig.ask('/tokens').status).toBe(200);
});

test('a shared key has a separate burst limit for every client', () => {
  const rig = buildRig({ now: NOW, allowance: { monthlyLimit: 99, hardCap: true, burst: 1, shared: true } });
  const ask = (client: string): number => rig.ask('/tokens', { client }).status;
  expect(['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.2'].map(ask)).toEqual([200, 429, 200, 429]);
});

test('counters cross the limit without gaps or overlap', () => {
  const rig = buildRig({ now: NOW, allowance: { monthlyLimit: 2, hardCap: false } });
  const seen = [1, 2, 3, 4].map(() => numbers(rig.ask('/tokens')));
  expect(seen).toEqual([
    ['2', '1', '0'],
    ['2', '0', '0'],
    ['2', '0', '1'],
    ['2', '0', '2'],
  ]);
});

test('a new month begins with a full allowance', () => {
  const rig = buildRig({
    now: Date.UTC(2026, 10, 30, 23, 59, 59, 999),
    allowance: { monthlyLimit: 3, hardCap: false },
  });
  rig.ask('/tokens');
  expect(numbers(rig.ask('/tokens'))).toEqual(['3', '1', '0']);
  rig.now += 1;
  expect(numbers(rig.ask('/tokens'))).toEqual(['3', '2', '0']);
  rig.now -= 1;
  expect(numbers(rig.ask('/tokens'))).toEqual(['3', '0', '0']);
});

test('a hard cap refuses and counts requests and sends Retry-After', () => {
  const rig = buildRig({ now: NOW, allowance: { monthlyLimit: 1, hardCap: true } });
  expect(rig.ask('/tokens').status).toBe(200);
  const refused = rig.ask('/tokens');
  expect(refused.status).toBe(429);
  expect(numbers(refused)).toEqual(['1', '0', '1']);
  expect(Number(findHeader(refused, 'retry-after'))).toBe((Date.UTC(2026, 11, 1) - NOW) / 1000);
});

test('refused requests are counted for known keys only', () => {
  const rig = buildRig({ now: NOW });
  const targets = ['/nowhere', '/tokens', '/v2/pools/conversionRates/x', '/v2/pools/conversionRates/1'];
  for (const target of targets) rig.ask(target);
  rig.ask('/tokens', { method: 'POST' });
  rig.ask('/tokens', { apiKey: undefined });
  rig.ask('/tokens', { apiKey: 'x'.repeat(32) });
  expect(numbers(rig.ask('/tokens'))).toEqual(['10000', '9994', '0']);
});

test('a fault of the service itself is not counted', () => {
  const rig = buildRig({ now: NOW });
  rig.distortions = [
    {
      body: () => {
        throw new Error('broken on purpose');
      },
    },
  ];
  const reply = rig.ask('/tokens');
  expect([reply.status, reply.body.includes('broken')]).toEqual([500, false]);
  rig.distortions = [];
  expect(numbers(rig.ask('/tokens'))).toEqual(['10000', '9999', '0']);
});

test('keys are counted separately', () => {
  const rig = buildRig({ now: NOW });
  const apiKey = rig.store.keys.issue({ monthlyLimit: 7, hardCap: false });
  for (let i = 0; i < 5; i++) rig.ask('/tokens');
  expect(numbers(rig.ask('/tokens', { apiKey }))).toEqual(['7', '6', '0']);
});
