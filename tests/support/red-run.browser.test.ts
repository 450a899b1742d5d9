import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Ready, serve } from '@candleproof/command/command';
import { hasBrowser, launchBrowser } from '@candleproof/reports/testing/browser';
import { expect, type Page, test } from '@playwright/test';

const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));

test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

test("a failed rule shows expected, actual and replay in Playwright's report", {
  tag: '@endurance',
}, async () => {
  test.slow();
  const folder = test.info().outputPath();
  const service = await serve(folder, '--fault', 'F31');
  try {
    expect(await runSuite(service.ready, folder)).toBe(1);
  } finally {
    await service.stop();
  }
  const browser = await launchBrowser();
  try {
    await readReport(await browser.newPage(), `${pathToFileURL(folder)}/report/index.html`);
  } finally {
    await browser.close();
  }
});

/** The suite as a pipeline runs it, with separate results; returns its exit code. */
function runSuite(target: Ready, folder: string): Promise<number | string | null | undefined> {
  const files = ['tests/2.2-candlestick-record.spec.ts', 'tests/verdict.spec.ts'];
  const args = ['test', ...files, '--project=conformance', '--workers=1', '--reporter=html'];
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    // As this run itself: Playwright needs ten seconds to take the types off every source.
    PW_DISABLE_TS_ESM: process.env.PW_DISABLE_TS_ESM,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    CANDLEPROOF_OUT: `${folder}/run`,
    CANDLEPROOF_BASE_URL: target.url,
    CANDLEPROOF_API_KEY_FILE: target.apiKeyFile,
    CANDLEPROOF_CA_FILE: target.caFile,
    CANDLEPROOF_POOLS_V1: target.poolsV1.join(),
    CANDLEPROOF_POOLS_V2: target.poolsV2.join(),
    PLAYWRIGHT_HTML_OUTPUT_DIR: `${folder}/report`,
    PLAYWRIGHT_HTML_OPEN: 'never',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args, '--output', `${folder}/results`], { env }, (error) =>
      resolve(error === null ? 0 : error.code),
    );
  });
}

async function readReport(page: Page, url: string): Promise<void> {
  await page.goto(`${url}#?q=s:failed`);
  await page
    .getByRole('link', { name: /^candle\/average-is-within-range/ })
    .first()
    .click();
  const reported = page.locator('body');
  await expect(reported).toContainText(/expected\s+within \[[\d.]+, [\d.]+\]/);
  await expect(reported).toContainText(/actual\s+[\d.]+, which is close × \d+ elapsed seconds/);
  await expect(reported).toContainText(
    /replay\s*:?\s*npx candleproof check .* --only candle\/average-is-within-range/,
  );
  await expect(reported).toContainText('listV2PoolCandles /*/avg, for the operator.md');
  await expect(reported).not.toContainText('throw ');
}
