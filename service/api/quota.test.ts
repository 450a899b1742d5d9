import { expect, test } from '@playwright/test';
import { buildRig, headerOf } from '../rig.ts';
import { quotaMonth } from './quota.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37);
const numbers = (reply: Parameters<typeof headerOf>[0]): (string | undefined)[] =>
  ['limit', 'remaining', 'additional-total'].map((name) => headerOf(reply, `x-ratelimit-${name}`));

test('a month ends with its last millisecond in its own zone', () => {
  const end = Date.UTC(2026, 11, 1);
  expect(quotaMonth(end - 1, 0)).toEqual({ name: '2026-11', reset: end - 1 });
  expect(quotaMonth(end, 0)).toEqual({ name: '2026-12', reset: Date.UTC(2027, 0, 1) - 1 });
  const fourHours = 4 * 3_600_000;
  expect(quotaMonth(end, -240)).toEqual({ name: '2026-11', reset: end + fourHours - 1 });
  expect(quotaMonth(end + fourHours, -240).name).toBe('2026-12');
});

test('counters pass the limit without skipping or overlap', () => {
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

test('a hard cap refuses, keeps counting and says when to return', () => {
  const rig = buildRig({ now: NOW, allowance: { monthlyLimit: 1, hardCap: true } });
  expect(rig.ask('/tokens').status).toBe(200);
  const refused = rig.ask('/tokens');
  expect(refused.status).toBe(429);
  expect(numbers(refused)).toEqual(['1', '0', '1']);
  expect(Number(headerOf(refused, 'retry-after'))).toBe((Date.UTC(2026, 11, 1) - NOW) / 1000);
});

test('a known key is counted on refusals, an unknown one never', () => {
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

test('one key moves no other key', () => {
  const rig = buildRig({ now: NOW });
  const apiKey = rig.service.store.keys.issue({ monthlyLimit: 7, hardCap: false });
  for (let i = 0; i < 5; i++) rig.ask('/tokens');
  expect(numbers(rig.ask('/tokens', { apiKey }))).toEqual(['7', '6', '0']);
});
