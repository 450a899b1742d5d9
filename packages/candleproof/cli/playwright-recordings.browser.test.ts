import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { judgeRecording, readRecordings } from '@candleproof/check/judging/judge-recording';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Run } from '@candleproof/law/judge/verdict';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { hasBrowser, launchBrowser } from '@candleproof/reports/testing/browser';
import { type Browser, expect, test } from '@playwright/test';
import { openLocal } from './target/local-service.ts';

const spec = loadSpec('openapi.yaml');

type Service = Awaited<ReturnType<typeof openLocal>>;

let browser: Browser;
let healthy: Service;
let broken: Service;

test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');
test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  if (!hasBrowser()) return;
  browser = await launchBrowser();
  healthy = await openLocal({ faults: [] });
  broken = await openLocal({ faults: ['F31'] });
});

test.afterAll(async () => {
  await browser?.close();
  await healthy?.close();
  await broken?.close();
});

type Way = {
  readonly mode: 'full' | 'minimal';
  readonly content: 'embed' | 'attach' | 'omit';
  readonly file: string;
};

const ways: readonly Way[] = (['full', 'minimal'] as const).flatMap((mode): Way[] => [
  { mode, content: 'embed', file: 'embed.har' },
  { mode, content: 'attach', file: 'attach.har' },
  { mode, content: 'attach', file: 'attach.zip' },
  { mode, content: 'omit', file: 'omit.har' },
]);

/** The requests of a page, first all at once, then one after the other. */
async function recordedAs({ mode, content, file }: Way, { target }: Service): Promise<string> {
  const path = test.info().outputPath(file);
  const context = await browser.newContext({ ignoreHTTPSErrors: true, recordHar: { path, mode, content } });
  const { baseUrl, pools } = target.facts;
  const headers = { 'x-api-key': target.apiKey ?? '' };
  const day = Math.floor(Date.now() / 86_400_000) * 86_400;
  const history = `${baseUrl}/v2/pools/conversionRates/${pools.v2?.[0]}?from=${day - 86_400}&to=${day}&interval=HOUR`;
  const latest = ['FIVEMIN', 'HOUR', 'DAY', 'WEEK'].map(
    (interval) => `${baseUrl}/pools/conversionRates/latest/${pools.v1?.[0]}?interval=${interval}`,
  );
  const page = await context.newPage();
  // A page of the service itself: whatever it answers there, it is in the recording too.
  await page.goto(`${baseUrl}/`);
  await page.evaluate(
    async ({ urls, headers }) => {
      const read = async (url: string): Promise<string> => (await fetch(url, { headers })).text();
      await Promise.all(urls.map(read));
      for (const url of urls) await read(url);
    },
    { urls: [`${baseUrl}/tokens`, ...latest, ...latest, history, `${history}&inverted=true`], headers },
  );
  await context.close();
  return path;
}

function judged(file: string): Run {
  const given = { files: [file] };
  const read = readRecordings(spec, given);
  return judgeRecording(spec, read, { law: catalogue, given, baseline: undefined }).run;
}

for (const way of ways) {
  const name = `Playwright's ${way.mode} recording, ${way.file}`;

  test(`the healthy service is not accused by ${name}`, async () => {
    const { verdict, reason, findings } = judged(await recordedAs(way, healthy));
    expect(findings.map((finding) => `${finding.fingerprint}: ${finding.actual}`)).toEqual([]);
    const bodiless = 'this recording holds no bodies; record it with embedded content';
    expect([verdict, reason]).toEqual(
      way.content === 'omit' ? ['inconclusive', bodiless] : ['conformant', undefined],
    );
  });
}

for (const way of ways.filter(({ content }) => content !== 'omit')) {
  test(`averages that were never divided are found in Playwright's ${way.mode} recording, ${way.file}`, async () => {
    const { findings } = judged(await recordedAs(way, broken));
    expect(findings.map((finding) => finding.rule)).toContain('candle/average-is-within-range');
  });
}

test('a body whose file is gone was not recorded', async () => {
  const file = await recordedAs({ mode: 'minimal', content: 'attach', file: 'attach.har' }, healthy);
  expect(readFileSync(file, 'utf8')).toContain('"_file"');
  for (const piece of readdirSync(dirname(file)).filter((name) => name.endsWith('.json'))) {
    rmSync(join(dirname(file), piece));
  }
  expect(judged(file)).toMatchObject({
    verdict: 'inconclusive',
    reason: 'this recording holds no bodies; record it with embedded content',
    findings: [],
  });
});
