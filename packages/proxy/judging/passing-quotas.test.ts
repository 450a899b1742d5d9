import { expect, test } from '@playwright/test';
import { passedTokens } from '../testing/passed.ts';
import type { PassedExchange } from '../traffic-observer.ts';
import type { PassedQuota } from './passing-quotas.ts';
import { StreamingJudge } from './streaming-judge.ts';

const target = {
  ...{ name: 'traffic', baseUrl: 'https://target.invalid', pools: {} },
  ...{ keyless: false, soleUser: false },
};

function pass(judge: StreamingJudge, exchange: PassedExchange): void {
  const copy = judge.copy();
  if (typeof copy === 'string') throw new Error(copy);
  copy.add(exchange.body);
  const body = copy.end();
  if (typeof body === 'string') throw new Error(body);
  judge.take({ ...exchange, body });
}

test('of a key the newest counters are handed on, under a name that nobody can read it from', async () => {
  const at = (remaining: number): PassedExchange => {
    const exchange = passedTokens('[]', 10_000 - remaining);
    const counters = [
      ...['x-ratelimit-limit', '10000', 'x-ratelimit-remaining', String(remaining)],
      ...['x-ratelimit-additional-total', '0', 'x-ratelimit-reset', String(Date.UTC(2031, 0, 1))],
    ];
    return { ...exchange, responseLines: [...exchange.responseLines, ...counters] };
  };
  const quotas: PassedQuota[] = [];
  const onQuota = (quota: PassedQuota): void => void quotas.push(quota);
  const only = ['tokens/documented-types'];
  const judge = new StreamingJudge({ specFile: 'openapi.yaml', target, only, onQuota });
  for (const remaining of [9990, 9989, 9988]) pass(judge, at(remaining));
  pass(judge, { ...at(9000), status: 401, requestLines: ['X-API-Key', 'f'.repeat(32)] });
  await judge.finished(20_000);
  await judge.close();
  expect(quotas.at(-1)?.quota).toMatchObject({ remaining: 9988 });
  expect(new Set(quotas.map(({ account }) => account)).size).toBe(1);
  expect(JSON.stringify(quotas)).not.toContain('0123456789abcdef0123456789abcdef');
});
