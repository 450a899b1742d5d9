import { Agent, get } from 'node:https';
import { expect, test } from '@playwright/test';
import { startService } from './start.ts';

const requests = process.env.CANDLEPROOF_THOROUGH ? 20_000 : 2000;
const connections = 16;
const limit = 1456;

test(`${requests} requests on sixteen connections are counted to the last`, async () => {
  test.setTimeout(120_000);
  const service = await startService({ historyDays: 1, quota: { limit } });
  const agent = new Agent({ ca: service.caPem, keepAlive: true, maxSockets: connections });
  const headers = { 'x-api-key': service.apiKey, 'if-none-match': '*' };
  const counters = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = get(`${service.url}/tokens`, { agent, headers }, (response) => {
        const reported = ['limit', 'remaining', 'additional-total'].map(
          (name) => response.headers[`x-ratelimit-${name}`],
        );
        response.on('end', () => resolve(reported.join(' '))).resume();
      });
      request.on('error', reject);
    });
  const seen = new Set(await Promise.all(Array.from({ length: requests }, counters)));
  const next = await counters();
  agent.destroy();
  await service.close();
  const wanted = Array.from({ length: requests }, (_, index) => {
    const used = index + 1;
    return `${limit} ${Math.max(0, limit - used)} ${Math.max(0, used - limit)}`;
  });
  expect(seen.size).toBe(requests);
  expect(wanted.filter((count) => !seen.has(count))).toEqual([]);
  expect(next).toBe(`${limit} 0 ${requests + 1 - limit}`);
});
