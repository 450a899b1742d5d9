import { createServer, type Server } from 'node:http';
import { hashSource } from '@candleproof/reports/run/page';
import { hasBrowser, launchBrowser } from '@candleproof/reports/testing/browser';
import { expectPicture } from '@candleproof/reports/testing/pictures';
import {
  findKeyboardTrouble,
  flaws,
  levelAA,
  listTextSizes,
  troubleInViews,
  unfold,
} from '@candleproof/reports/testing/served-pages';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { openPort } from '../slots/port.ts';
import { availabilityBadge, badgeSvg } from './badge.ts';
import { readPageState } from './html/page-state.ts';
import { indexScript } from './html/target-index.ts';
import { monitorPages, servedPage } from './monitor-page.ts';
import { selectFacts } from './page-facts.ts';
import { monitorPage } from './testing/first-page.ts';
import { hostileFacts, madeFacts, manyFacts, samplePlan } from './testing/sample-monitor.ts';
import { youngFacts } from './testing/young-monitor.ts';

test.describe.configure({ mode: 'default' });
test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

let browser: Browser;
let server: Server;
let origin: string;
const requested: string[] = [];

/** On a busy machine `/live` would reload during a check of the whole page, which therefore uses `/calm`. */
const refreshSeconds: Readonly<Record<string, number>> = { '/live': 3, '/calm': 600 };

test.beforeAll(async () => {
  browser = await launchBrowser();
  const facts = madeFacts(120);
  const pages: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(monitorPages(manyFacts(28), samplePlan)).map(([name, page]) => [`/${name}`, page]),
    ),
    '/sample': monitorPage(facts, samplePlan),
    ...Object.fromEntries(
      ['mainnet', 'testnet'].map((target) => [
        `/${target}`,
        monitorPages(facts, samplePlan)[`target-${target}.html`] ?? '',
      ]),
    ),
    '/young': monitorPage(youngFacts(), samplePlan),
    '/silent': monitorPage({ ...facts, now: facts.now + 7_200_000 }, samplePlan),
    '/hostile': monitorPage(hostileFacts(), samplePlan),
    '/empty': monitorPage(
      { ...facts, days: [], hours: [], past: [], events: [], incidents: [], quotas: [] },
      samplePlan,
    ),
    '/badge': `<!doctype html><html lang="en"><title>Badge</title><main><h1>Badge</h1>${badgeSvg(availabilityBadge(facts, samplePlan, 'mainnet'))}</main></html>`,
  };
  server = createServer(({ url = '' }, response) => {
    requested.push(url);
    const [path = '', query = ''] = url.split('?');
    const refresh = refreshSeconds[path];
    const state = readPageState(query, refresh);
    const text = refresh
      ? servedPage(state.target ? selectFacts(facts, state.target) : facts, samplePlan, state)
      : pages[path];
    response.writeHead(text ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(text ?? '');
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

test('at 360 pixels the rows of every table stack, and none is wider than the screen', async () => {
  const page = await open('/mainnet', 360);
  await unfold(page);
  const wide = await page
    .locator('table.wide')
    .evaluateAll(
      (tables) => tables.filter((table) => table.scrollWidth > 345 || table.clientWidth > 345).length,
    );
  expect(wide).toBe(0);
  await expect(page.locator('table.wide td').first()).toHaveCSS('display', /block|grid/);
  await page.close();
});

test('the first screen says what is wrong, since when and where, and three targets fit 3,000 pixels', async () => {
  for (const width of [1280, 360]) {
    const page = await open('/sample', width);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      '1 of 2 targets is failing: testnet serves wrong candles',
    );
    const alarm = page.locator('.alarm');
    await expect(alarm.getByRole('heading')).toHaveText(
      'testnet serves wrong candles from fra1, for 3 h 22 min',
    );
    await expect(alarm).toContainText('Since 2026-11-20 06:18 UTC (15 bad slots): candle/high-is-highest');
    if (width > 360) await expect(alarm.getByRole('img')).toBeVisible();
    await expect(alarm.getByRole('link', { name: 'first bad exchange' })).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('Light probes judge 21 of the 62 musts.')).toBeInViewport();
    expect(await page.locator('html').evaluate((html) => html.scrollHeight)).toBeLessThan(3000);
    const names = page.getByRole('region', { name: 'Targets and places' }).locator('th[scope=row]');
    await expect(names).toHaveText(['testnet fra1', 'mainnet fra1', 'mainnet syd1']);
    await page.close();
  }
});

test('the row of a target that is not seen now says so visibly', async () => {
  const page = await open('/silent');
  const states = page.locator('#watches td').filter({ hasText: 'not seen since' });
  expect(await states.count()).toBeGreaterThan(0);
  for (const state of await states.all()) {
    await expect(state).toBeInViewport({ ratio: 0.01 });
    expect((await state.boundingBox())?.width ?? 0).toBeGreaterThan(80);
  }
  await page.close();
});

test('a click on the first bad exchange opens it, and one on a target leads to its page and back', async () => {
  const page = await open('/index.html');
  await expect(page.locator('.exchange').getByText('at least 1.2041')).toBeHidden();
  await page.getByRole('link', { name: 'first bad exchange' }).click();
  await expect(page.locator('.exchange').getByText('at least 1.2041')).toBeInViewport();
  await page.getByRole('link', { name: 'testnet in detail' }).click();
  await expect(page.getByRole('region', { name: 'Objectives, testnet from fra1' })).toBeVisible();
  await page.getByRole('link', { name: 'all targets' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('1 of 30 targets is failing');
  await page.close();
});

test('the index of 30 targets has a line each, at most 2,300 pixels in all, and half of that many on a phone', async () => {
  for (const [width, most] of [
    [1200, 2300],
    [360, 4000],
  ] as const) {
    const page = await open('/index.html', width);
    expect(await page.locator('html').evaluate((html) => html.scrollHeight)).toBeLessThan(most);
    await page.close();
  }
});

test('targets are searched from the keyboard, chosen by their state and sorted by a head', async () => {
  const page = await open('/index.html');
  const rows = page.locator('.lines th[scope=row]:visible');
  await page.keyboard.press('/');
  await page.keyboard.type('VENUE-1');
  await expect(rows).toHaveCount(10);
  await expect(page.locator('output')).toHaveText('10 of 31 rows');
  await expect(page.getByText('Failing now 1', { exact: true }).last()).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(rows).toHaveCount(31);
  const chip = page.getByRole('button', { name: 'Failing now 1' });
  await chip.click();
  await expect(rows).toHaveText(['testnet fra1']);
  await chip.click();
  const head = page.getByRole('button', { name: /^Available/ });
  await head.press('Enter');
  await expect(page.locator('.lines th[aria-sort]')).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows.nth(1)).toHaveText('mainnet fra1');
  await page.getByRole('button', { name: 'Target, from' }).click();
  await page.getByRole('button', { name: 'Target, from' }).click();
  await expect(rows.nth(1)).toHaveText('venue-28 fra1');
  await page.close();
});

test('without a script the index is whole and sorted, and offers nothing that needs one', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${origin}/index.html`);
  await expect(page.locator('.lines th[scope=row]:visible')).toHaveCount(31);
  await expect(page.locator('.lines th[scope=row]').first()).toHaveText('testnet fra1');
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expect(page.locator('button:visible')).toHaveCount(0);
  await context.close();
});

test('a served index searches under the policy of its port, which runs no script of a target', async () => {
  const state = readPageState('', 600);
  const injected = '<script>document.title = "injected"</script></body>';
  const body = servedPage(madeFacts(20), samplePlan, state).replace('</body>', injected);
  const answer = { status: 200, type: 'text/html; charset=utf-8', body, script: hashSource(indexScript) };
  const port = await openPort({ port: 0, routes: [() => answer] });
  const page = await browser.newPage();
  await page.goto(port.url);
  await page.getByRole('searchbox').fill('syd');
  await expect(page.locator('.lines th[scope=row]:visible')).toHaveText(['mainnet syd1']);
  expect(await page.title()).not.toBe('injected');
  await page.close();
  await port.close();
});

test('the window of the figures is chosen without a script', async () => {
  const page = await open('/mainnet');
  const cell = page
    .getByRole('row', { name: /^mainnet from fra1/ })
    .getByRole('cell')
    .first();
  await expect(cell.getByText('6,610 of 6,641')).toBeVisible();
  await page.getByLabel('24 h').check();
  await expect(cell.getByText('6,610 of 6,641')).toBeHidden();
  await expect(cell.locator('.of-24h')).toBeVisible();
  await expect(cell.locator('.of:visible')).toHaveCount(1);
  await page.close();
});

test('the window and the open details of a live page survive its reloads', async () => {
  const page = await open('/live', 360);
  await page.getByRole('link', { name: '7 d', exact: true }).click();
  await page.getByRole('link', { name: 'first bad exchange' }).click();
  await page.getByRole('heading', { name: 'Findings' }).click();
  await page.locator('#findings').getByRole('link', { name: 'Keep this open' }).click();
  // A browser would scroll to a fragment of the address that it reloads.
  expect(page.url()).toContain('#');
  const loads = (): number => requested.filter((path) => path.startsWith('/live?window=7d&open=')).length;
  const before = loads();
  await expect.poll(loads, { timeout: 30_000 }).toBeGreaterThan(before);
  await expect(page.getByRole('link', { name: '7 d', exact: true })).toHaveAttribute('aria-current', 'true');
  await expect(page.locator('.exchange').getByText('at least 1.2041')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Broken musts by rule' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Quota' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'What the ledger' })).toBeHidden();
  await page.goto(page.url().replace('/live', '/calm'));
  const flawed = await flaws(page, levelAA);
  expect(flawed.filter((flaw) => !flaw.startsWith('meta-refresh: '))).toEqual([]);
  await page.close();
});

test('a target of a live page has a page of its own, with its figures open, and a way back', async () => {
  const page = await open('/calm?window=7d', 360);
  await page.getByRole('link', { name: 'mainnet', exact: true }).last().click();
  await expect(page.getByRole('region', { name: 'Objectives, mainnet from syd1' })).toBeVisible();
  await expect(page.getByText('testnet')).toHaveCount(0);
  await page.getByRole('link', { name: 'all targets' }).click();
  await expect(page.getByRole('link', { name: 'testnet', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: '7 d', exact: true })).toHaveAttribute('aria-current', 'true');
  await page.close();
});

test('a day with failures or degraded answers is named under a pointer', async () => {
  const page = await open('/testnet');
  const row = page.getByRole('row', { name: /^testnet from fra1/ });
  await expect(row.locator('.failed title')).toHaveText(/^2026-11-20: .*\d+ failed.*slots ran$/);
  await expect(row.locator('.strip-of-days > title')).toHaveText(/^90 days from 2026-08-23 to 2026-11-20/);
  await page.close();
});

test('colors that the system forces leave every bar of the days and every mark', async () => {
  const page = await open('/sample');
  await page.emulateMedia({ forcedColors: 'active' });
  const [ground, ...bars] = await page.evaluate<string[]>(
    `['body', '.lines .ok', '.lines .failed', '.mark.failed'].map((each, at) => getComputedStyle(document.querySelector(each))[at === 1 || at === 2 ? 'stroke' : 'backgroundColor'])`,
  );
  expect(bars).toHaveLength(3);
  for (const bar of bars) expect(bar).not.toBe(ground);
  await page.close();
});

test('an hour that went well stands out from one without a look', async () => {
  for (const scheme of ['light', 'dark'] as const) {
    const page = await open('/mainnet', 1280, scheme);
    await unfold(page);
    const [ok = '', ground = ''] = await page.evaluate<string[]>(
      `[getComputedStyle(document.querySelector('.heat .ok')).fill, getComputedStyle(document.querySelector('.heat').closest('.scroll')).backgroundColor]`,
    );
    expect(contrast(ok, ground), scheme).toBeGreaterThanOrEqual(3);
    await page.close();
  }
});

/** Returns the contrast of two colors such as `rgb(1, 2, 3)`, by WCAG. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const parts = [...color.matchAll(/\d+/g)].map(([part]) => Number(part) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('no text of a target runs, and nothing is fetched', async () => {
  requested.length = 0;
  const page = await browser.newPage();
  const reported: string[] = [];
  page.on('request', (request) => reported.push(request.url()));
  page.on('console', (message) => reported.push(message.text()));
  await page.goto(`${origin}/hostile`, { waitUntil: 'networkidle' });
  expect(await page.title()).toContain('Candleproof monitors');
  expect(reported).toEqual([`${origin}/hostile`]);
  expect(requested).toEqual(['/hostile']);
  expect(await page.locator('script:not([type="application/json"]), img').count()).toBe(1);
  await page.close();
});

for (const path of ['/index.html', '/mainnet', '/young', '/empty', '/badge'])
  test(`axe finds nothing at ${path}, and nothing is wider than its window`, async () => {
    const page = await open(path);
    expect(await troubleInViews(page)).toEqual([]);
    expect((await listTextSizes(page)).length).toBeLessThanOrEqual(5);
    await page.close();
  });

for (const path of ['/index.html', '/mainnet'])
  test(`the keyboard reaches all that is at ${path}, the link to the content first`, async () => {
    const page = await open(path);
    await unfold(page);
    expect(await findKeyboardTrouble(page)).toEqual([]);
    await page.close();
  });

test('a narrow phone scrolls tables and charts in their own regions', async () => {
  const page = await open('/mainnet', 360);
  await unfold(page);
  const region = page.getByRole('region', { name: 'Days, mainnet from fra1' });
  await region.focus();
  await expect(region).toBeFocused();
  expect(await region.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
  await page.close();
});

test('what is folded opens by the keyboard, without a script', async () => {
  const page = await open('/mainnet');
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

test('charts are reported in words as well', async () => {
  const page = await open('/mainnet');
  await unfold(page);
  const days = page.getByRole('img', { name: 'Day by day' }).first();
  await expect(days).toHaveAccessibleDescription(/^90 days from 2026-08-23 to 2026-11-20: 1 with failures/);
  await page.close();
  const index = await open('/sample');
  await unfold(index);
  await expect(index.getByRole('img', { name: /^Key main: [\d,]+ of 10,000 used/ })).toHaveCount(1);
  await expect(
    index.getByRole('img', { name: /^90 days from 2026-08-23 to 2026-11-20: 1 with/ }),
  ).toHaveCount(3);
  await index.close();
});

for (const path of ['/mainnet', '/young'])
  test(`texts of a chart stay inside of it, ${path}`, async () => {
    const page = await open(path);
    await unfold(page);
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

test('the picture of the guide to monitors shows the page of today', () =>
  expectPicture('docs/monitor.png', monitorPage(madeFacts(90), samplePlan), 1180, 1080));
