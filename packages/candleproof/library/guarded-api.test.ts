import { MonthSpent } from '@candleproof/client/ledger/ledger-store';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import { guardApi } from './guarded-api.ts';
import { trust } from './playwright.ts';

test('requests of Playwright leave only while the key has some left', async ({ playwright }) => {
  const service = await startBuilt({ quota: { limit: 1000, remaining: 2 }, historyDays: 9 });
  trust(service.caPem);
  const open = () => playwright.request.newContext({ extraHTTPHeaders: { 'x-api-key': service.apiKey } });
  const api = await open();
  const target = { baseUrl: service.url, apiKey: service.apiKey };
  const close = await guardApi(api, target);
  try {
    for (const left of ['1', '0']) {
      const response = await api.get(`${service.url}/tokens`);
      expect(response.headers()['x-ratelimit-remaining']).toBe(left);
    }
    for (const send of [api.get, api.post, api.head] as const)
      await expect(send.call(api, `${service.url}/tokens`)).rejects.toBeInstanceOf(MonthSpent);
    const free = await open();
    const end = await guardApi(free, { ...target, allowOverage: true });
    const beyond = await free.get(`${service.url}/tokens`);
    expect(beyond.headers()['x-ratelimit-additional-total']).toBe('1');
    await end();
    await free.dispose();
  } finally {
    await close();
    await api.dispose();
    await service.close();
  }
});
