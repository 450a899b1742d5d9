import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { type RunningService, type ServiceOptions, startService } from '../start.ts';
import { startBuilt } from './built-market.ts';

const earlier = Date.parse('2026-03-11T09:02:20Z');
const now = earlier + 5 * 3_600_000;
const paths = [
  `/v2/pools/conversionRates/1?from=${earlier / 1000 - 2 * 86_400}&to=${now / 1000}&interval=FIVEMIN`,
  '/pools/conversionRates/latest/1?interval=WEEK',
  '/tokens',
];

function fetchBody({ url, apiKey, caPem: ca }: RunningService, path: string): Promise<string> {
  const headers = { 'x-api-key': apiKey };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { ca, headers, agent: false }, (response) => {
      text(response).then(resolve, reject);
    });
    sent.on('error', reject).end();
  });
}

async function fetchAnswers(start: typeof startBuilt, instant: number): Promise<string[]> {
  const options: ServiceOptions = { seed: 9, historyDays: 3, now: () => instant };
  const service = await start(options);
  const bodies = await Promise.all(paths.map((path) => fetchBody(service, path)));
  await service.close();
  return bodies;
}

test('a service on a copied market answers like one on a newly built market', async () => {
  for (const instant of [now - 3_600_000, now, earlier]) {
    const answers = await fetchAnswers(startBuilt, instant);
    expect(answers[0]?.length).toBeGreaterThan(100_000);
    expect(answers).toEqual(await fetchAnswers(startService, instant));
  }
});

test('a temporary folder is deleted on close, a given one stays', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'candleproof-'));
  const service = await startBuilt({ seed: 9, historyDays: 1, now: () => now, dataDir });
  await service.close();
  expect(readdirSync(dataDir)).toContain('service.db');
  rmSync(dataDir, { recursive: true });
});
