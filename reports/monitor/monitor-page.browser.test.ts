import { createServer, type Server } from 'node:http';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { badgeOf, badgeSvg } from '../badge.ts';
import { hasBrowser, launchBrowser } from '../testing/browser.ts';
import { hostileFacts, madeFacts, samplePlan } from '../testing/sample-monitor.ts';
import { youngFacts } from '../testing/young-monitor.ts';
import { monitorPage } from './monitor-page.ts';

test.describe.configure({ mode: 'default' });
test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

let browser: Browser;
let server: Server;
let origin: string;
const asked: string[] = [];

test.beforeAll(async () => {
  browser = await launchBrowser();
  const facts = madeFacts(120);
  const pages: Record<string, string> = {
    '/sample': monitorPage(facts, samplePlan),
    '/young': monitorPage(youngFacts(), samplePlan),
    '/hostile': monitorPage(hostileFacts(), samplePlan),
    '/empty': monitorPage(
      { ...facts, days: [], hours: [], past: [], events: [], incidents: [], quotas: [] },
      samplePlan,
    ),
    '/badge': `<!doctype html><html lang="en"><title>Badge</title><main><h1>Badge</h1>${badgeSvg(badgeOf(facts, samplePlan, 'mainnet'))}</main></html>`,
  };
  server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(pages[url] ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(pages[url] ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

test.afterAll(async () => {
  await browser?.close();
  server?.close();
});

async function open(path: string, width = 1440, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  await page.goto(`${origin}${path}`);
  return page;
}

async function unfold(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((all) => {
    for (const each of all) each.setAttribute('open', '');
  });
}

test('no text of a target runs, and nothing is fetched', async () => {
  asked.length = 0;
  const page = await browser.newPage();
  const told: string[] = [];
  page.on('request', (request) => told.push(request.url()));
  page.on('console', (message) => told.push(message.text()));
  await page.goto(`${origin}/hostile`, { waitUntil: 'networkidle' });
  expect(await page.title()).toContain('Candleproof monitors');
  expect(told).toEqual([`${origin}/hostile`]);
  expect(asked).toEqual(['/hostile']);
  expect(await page.locator('script:not([type="application/json"]), img').count()).toBe(0);
  await page.close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1440]) {
    test(`pages ${width} wide are accessible in ${colorScheme}`, async () => {
      for (const path of ['/sample', '/young', '/empty', '/badge']) {
        const page = await open(path, width, colorScheme);
        await unfold(page);
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
          .analyze();
        expect(violations.map((each) => `${path} ${each.id}: ${each.nodes[0]?.html}`)).toEqual([]);
        await page.close();
      }
    });
  }
}

test('a narrow phone scrolls tables and charts in their own regions', async () => {
  const page = await open('/sample', 360);
  await unfold(page);
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(360);
  const region = page.getByRole('region', { name: 'Days, mainnet from fra1' });
  await region.focus();
  await expect(region).toBeFocused();
  expect(await region.evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(true);
  await page.close();
});

test('what is folded opens by the keyboard, without a script', async () => {
  const page = await open('/sample');
  await page.getByText('Where the time goes').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Phases of a request, mainnet from fra1' })).toBeVisible();
  await page.close();
});

test('paper is light, shows what is folded and cuts nothing off', async () => {
  const page = await open('/sample', 760, 'dark');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.getByText('no answer within 10000 ms').first()).toBeVisible();
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(760);
  await page.close();
});

test('charts are told in words as well', async () => {
  const page = await open('/sample');
  const days = page.getByRole('img', { name: 'Day by day' }).first();
  await expect(days).toHaveAccessibleDescription(/^90 days from 2026-08-23 to 2026-11-20: 1 with failures/);
  const quota = page.getByRole('img', { name: 'Requests left of the key main' });
  await expect(quota).toHaveAccessibleDescription(/the reserve is reached on 2026-11-2\d/);
  await page.close();
});

for (const path of ['/sample', '/young'])
  test(`texts of a chart stay inside of it, ${path}`, async () => {
    const page = await open(path);
    const outside = await page.locator('svg.chart').evaluateAll((charts) =>
      charts.flatMap((chart) => {
        const sheet = chart.getBoundingClientRect();
        return [...chart.querySelectorAll('text')]
          .map((text) => ({ box: text.getBoundingClientRect(), name: text.textContent }))
          .filter(
            ({ box }) =>
              box.left < sheet.left - 1 ||
              box.right > sheet.right + 1 ||
              box.bottom > sheet.bottom + 2 ||
              box.top < sheet.top - 2,
          )
          .map(({ name }) => name);
      }),
    );
    expect(outside).toEqual([]);
    await page.close();
  });
