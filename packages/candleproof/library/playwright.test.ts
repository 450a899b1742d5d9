import { startService } from '@candleproof/reference-service/start';
import { request } from '@playwright/test';
import { expect, test, trust } from './playwright.ts';

test('a sound answer of the service conforms', async ({ api }) => {
  const response = await api.get('tokens');
  expect(response.status()).toBe(200);
  await expect(response).toConform();
});

test('a refusal conforms where it is what the document says', async ({ api }) => {
  await expect(await api.get('v2/pools/conversionRates/999999?interval=HOUR&from=1&to=2')).toConform();
});

test('a broken answer does not conform, and the message names rule, expected and actual', async () => {
  const service = await startService({ faults: ['F31'] });
  trust(service.caPem);
  const api = await request.newContext({ extraHTTPHeaders: { 'x-api-key': service.apiKey } });
  const path = `/pools/conversionRates/latest/${service.poolsV1[0]}?interval=HOUR`;
  const response = await api.get(service.url + path);
  try {
    await expect(response).not.toConform();
    const said = await expect(response)
      .toConform()
      .catch((error: Error) => error.message);
    expect(said).toMatch(/nonconformant\s+candle\/average-is-within-range .*\n\s+expected .*\n\s+actual /);
  } finally {
    await api.dispose();
    await service.close();
  }
});

test('what no operation answers can neither conform nor fail to', async ({ api }) => {
  const response = await api.get('nowhere');
  for (const matchers of [expect(response), expect(response).not]) {
    await expect(matchers.toConform()).rejects.toThrow(/no request asks for any of the three operations/);
  }
});
