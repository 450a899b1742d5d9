import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hasBrowser, launchBrowser } from '@candleproof/reports/testing/browser';
import type { ServedPages } from '@candleproof/reports/testing/served-pages';
import { expect, test } from '@playwright/test';
import { writeSample } from './testing/sample-site.ts';
import { placeOfRun, serveSample } from './testing/served-site.ts';

test.describe.configure({ mode: 'default' });
test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

const average = 'candle/average-is-within-range';
let site: ServedPages;
let folder = '';

test.beforeAll(async ({ browserName: _ }, info) => {
  folder = info.outputPath('site');
  site = await serveSample(await writeSample(info.outputPath('in')), folder);
});

test.afterAll(() => site?.close());

test('two clicks lead from a red cell of the first page to the raw exchange', async () => {
  const page = await site.open('');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('2 of 2 targets break a must');
  const matrix = page.getByRole('region', { name: 'Rules and targets' });
  const row = matrix.getByRole('row', { name: average });
  const column = await matrix.getByRole('columnheader').allInnerTexts();
  const cell = row.getByRole('cell').nth(column.findIndex((cell) => cell.trim() === 'main'));
  await cell.getByRole('link', { name: /^failed: / }).click();
  await expect(page.locator('.finding:has(:target)')).toContainText('low ≤ avg ≤ high.');
  await page.getByRole('link', { name: 'exchange 4', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Exchange 4' })).toBeVisible();
  await expect(page.locator('#exchange')).toContainText('[{"exchange":4}]');
  await page.close();
});

test('filters of the first page are addresses that work without a script', async () => {
  const page = await site.open('', { javaScriptEnabled: false });
  const rows = page.locator('.matrix tbody').nth(1).getByRole('row');
  const failing = await rows.count();
  await page.getByRole('link', { name: 'all', exact: true }).click();
  await expect(page).toHaveURL(/\/all\/$/);
  expect(await rows.count()).toBeGreaterThan(failing);
  await page.getByRole('link', { name: 'changed in 7 days' }).click();
  await expect(page).toHaveURL(/\/changed\/$/);
  await expect(page.getByText('No rule changed within the last seven days.')).toBeVisible();
  await page.close();
});

test('all targets share one axis of days, and a day without a run is dashed', async () => {
  const page = await site.open('');
  const strips = page.locator('.day-strip');
  await expect(strips).toHaveCount(2);
  for (const strip of await strips.all())
    await expect(strip).toHaveAccessibleName(/2026-10-24 to 2026-11-22/);
  expect(await strips.first().locator('.none').count()).toBeGreaterThan(20);
  await expect(page.locator('.day-strip title').first()).toHaveText(/^2026-11-0\d: (passed|failed)$/);
  await page.close();
});

test('colors that the system forces leave the bars of the days', async () => {
  const page = await site.open('');
  await page.emulateMedia({ forcedColors: 'active' });
  const fill = (selector: string): Promise<string> =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('.day-strip ${selector}')).fill`);
  const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  expect(new Set([await fill('.passed'), await fill('.failed'), ground]).size).toBe(3);
  await page.close();
});

test('a search hides the rows without its words', async () => {
  const page = await site.open('all/');
  const rows = page.locator('.matrix tbody').nth(1).getByRole('row');
  await page.getByRole('searchbox', { name: 'Search these rows' }).fill('average range');
  await expect(rows.filter({ visible: true })).toHaveCount(1);
  await page.close();
});

test('two clicks lead from a green mark to the rule and its reason', async () => {
  const page = await site.open('t/main/');
  await page.getByRole('row', { name: average }).getByTitle('2026-11-03: passed').click();
  const row = page.locator(':target');
  await expect(row).toContainText('passed');
  await row.getByRole('link', { name: average }).click();
  await expect(page.locator('li:target')).toContainText('low ≤ avg ≤ high.');
  await expect(page.locator('li:target')).toBeInViewport();
  await page.close();
});

test('a red mark of the grid leads to its finding, which stands out', async () => {
  const page = await site.open('t/main/');
  const row = page.getByRole('row', { name: average });
  await expect(row.getByRole('img', { name: /^Days of candle.*: \d+ not judged/ })).toBeVisible();
  await row.getByTitle('2026-11-05: failed').click();
  await expect(page.locator('.finding:has(:target)')).toContainText('low ≤ avg ≤ high.');
  await expect(page.locator('.finding:has(:target)')).toBeInViewport();
  await page.close();
});

test('two runs are compared, and what they were not made alike in is said', async () => {
  const page = await site.open('compare/');
  for (const side of ['From', 'To']) await expect(page.getByLabel(side)).toHaveValue('');
  for (const [side, words] of [
    ['From', /^2026-11-01 03:17 Conformant/],
    ['To', /^2026-11-05 03:17 Nonconformant.*1 finding/],
  ] as const) {
    const option = page.getByLabel(side).locator('option').filter({ hasText: words }).first();
    await page.getByLabel(side).selectOption(await option.getAttribute('value', { timeout: 5000 }));
  }
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.locator('#failing')).toContainText('passed → failed');
  await expect(page.locator('#difference .note')).toContainText('rules: 000000000001 → 000000000002');
  await expect(page.locator('#difference .note')).toContainText('spec');
  await expect(page.getByLabel('To')).toHaveValue(/^main\//);
  await page.locator('#failing').getByRole('link', { name: /^GET/ }).first().click();
  await expect(page.locator('.finding:has(:target)')).toBeVisible();
  await page.close();
});

test('a comparison says what the difference drawn ahead says', async () => {
  const page = await site.open('t/main/');
  const [run] = [await placeOfRun(page, site, -1)];
  await page.goto(`${site.origin}/${run}changes/`);
  const ahead = await page.locator('main').innerText();
  await page.getByRole('link', { name: 'Compare with another run' }).click();
  await expect(page.locator('#failing')).toBeVisible();
  expect((await page.locator('#difference').innerText()).endsWith(ahead)).toBe(true);
  await page.close();
});

test('a comparison with what is no run is refused in words', async () => {
  const page = await site.open('compare/?a=../../x&b=main/0000000000000000');
  await expect(page.locator('#difference')).toHaveText(/^They cannot be compared: .*names no run\.$/);
  await page.close();
});

test('an old run says that there is a newer one, the newest does not', async () => {
  const page = await site.open('');
  const [old, newest] = [await placeOfRun(page, site, 0), await placeOfRun(page, site, -1)];
  await page.goto(`${site.origin}/${old}`);
  await expect(page.locator('.newer')).toHaveText('A newer result exists: 2026-11-05, nonconformant.');
  await page.goto(`${site.origin}/${newest}`, { waitUntil: 'networkidle' });
  await expect(page.locator('.newer')).toBeHidden();
  await page.close();
});

test('without a script every page has its dates and its links', async () => {
  const page = await site.open('', { javaScriptEnabled: false });
  await expect(page.locator('.age')).toHaveCount(0);
  await expect(page.getByRole('row', { name: 'Last run' })).toContainText('2026-11-05');
  await page
    .getByRole('link', { name: /^1 new on/ })
    .first()
    .click();
  await expect(page.locator('#failing')).toContainText('low ≤ avg ≤ high.');
  await page.close();
});

test('a site works from a disk: its links lead to pages, and its script runs', async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  const trouble: string[] = [];
  page.on('console', (message) => trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  await expect(page.locator('.age').first()).toBeVisible();
  await page.getByRole('link', { name: 'all', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search these rows' }).fill('average range');
  await page.getByRole('link', { name: average }).click();
  await expect(page.locator('li:target')).toContainText(average);
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await page.goto(`${page.url()}?a=main/0000000000000000&b=main/0000000000000001`);
  await expect(page.locator('#difference')).toContainText('serve the folder over HTTP');
  expect(trouble).toEqual([]);
  await browser.close();
});
