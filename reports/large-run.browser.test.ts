import { expect, type Page, test } from '@playwright/test';
import { renderHtml } from './formats/html.ts';
import { killMatrixPage } from './kill-matrix/kill-matrix.ts';
import { largeRun } from './testing/large-run.ts';
import { sampleMatrix } from './testing/sample-matrix.ts';
import { serveForTests } from './testing/whole-page.ts';
import { escapeMarkup } from './words/escape.ts';

const results = 10_000;

/** Highest allowed multiple of the work for a plain table. */
const most = 2;

const pages = serveForTests(() => {
  const run = largeRun(results);
  return {
    run: renderHtml(run),
    matrix: killMatrixPage(sampleMatrix(results)),
    plain: plainTable(run.rules.map(({ id, statement }) => [id, statement])),
  };
});

for (const [name, click] of [
  ['run', '.open-reasons > summary'],
  ['matrix', '.chapter:not([open]) > summary'],
] as const) {
  test(`a ${name} of ten thousand results opens as fast as a plain table of them`, async () => {
    test.slow();
    const ratios: number[] = [];
    // The best of three rounds counts; rounds after a good one are skipped.
    for (let round = 0; round < 3 && !ratios.some((ratio) => ratio < most); round++)
      ratios.push((await timeToUse(name, click)) / (await timeToUse('plain', 'td')));
    test
      .info()
      .annotations.push({ type: 'times', description: ratios.map((ratio) => ratio.toFixed(2)).join(', ') });
    expect(Math.min(...ratios)).toBeLessThan(most);
  });
}

/** Renders the same rows as a bare table: the baseline for a browser on this machine at this moment. */
function plainTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join('')}</tr>`);
  return `<!doctype html><meta charset="utf-8"><title>plain</title><table>${cells.join('')}</table>`;
}

/**
 * Measures the milliseconds that the page's thread works from an empty tab until its first click is answered. Counts
 * processor time, since other work on the machine lengthens clock time.
 */
async function timeToUse(name: string, click: string): Promise<number> {
  const page = await pages().open('nothing');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const before = await worked();
  await page.goto(`${pages().origin}/${name}`);
  await page.locator(click).first().click();
  await twoFrames(page);
  const time = (await worked()) - before;
  await page.close();
  return time;
}

async function twoFrames(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

test('every one of many findings and rules is on the page', async () => {
  const page = await pages().open('run');
  await expect(page.locator('[id^=finding-]:is(div, tr)')).toHaveCount(results);
  const judged = largeRun(results).rules.filter((rule) => rule.level !== 'observe');
  await expect(page.locator('#matrix tbody > tr')).toHaveCount(judged.length);
  await page.close();
});

test('a link leads to the last of many findings', async () => {
  const page = await pages().open(`run#finding-${results}`);
  await expect(page.locator(`#finding-${results}`)).toBeInViewport();
  await expect(page.locator(`#finding-${results}`)).toContainText('npx candleproof replay');
  await page.close();
});
