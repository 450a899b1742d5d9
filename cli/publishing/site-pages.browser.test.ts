import { expect, type Page, test } from '@playwright/test';
import { hasBrowser } from '../../reports/testing/browser.ts';
import { flaws, type ServedPages, unfold } from '../../reports/testing/served-pages.ts';
import { broken, poisoned, runOf, sampleEntries, writeRun, writeSample } from './testing/sample-site.ts';
import { placeOfRun, serveSample } from './testing/served-site.ts';

test.describe.configure({ mode: 'default' });
test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

const average = 'candle/average-is-within-range';
let site: ServedPages;
let evil: ServedPages;

test.beforeAll(async ({ browserName: _ }, info) => {
  info.setTimeout(180_000);
  site = await serveSample(await writeSample(info.outputPath('in')), info.outputPath('site'));
  const run = poisoned(broken(runOf('main', 2), average));
  const input = writeRun(info.outputPath('evil-in'), run, poisoned(sampleEntries));
  evil = await serveSample([input], info.outputPath('evil'));
});

test.afterAll(async () => {
  await site?.close();
  await evil?.close();
});

/** One of each kind. */
async function kindsOfPage(page: Page): Promise<string[]> {
  const run = await placeOfRun(page, site, -1);
  const { loads } = await (await page.request.get(`${site.origin}/api/index.json`)).json();
  return [
    ...[
      '',
      't/main/',
      run,
      `${run}exchanges/4/`,
      `${run}changes/`,
      'compare/',
      'rules/',
      `rules/${average}/`,
    ],
    ...[
      'faults/',
      'faults/1/',
      'monitor/',
      'monitor/mainnet/2026-11/',
      'load/',
      `load/${loads[0].id}/`,
      'method/',
    ],
  ];
}

for (const [colorScheme, width] of [
  ['light', 360],
  ['dark', 1280],
] as const) {
  test(`axe finds nothing on any kind of page in ${colorScheme} at ${width} pixels, and none is wider`, async () => {
    test.setTimeout(180_000);
    const page = await site.open('', { colorScheme, width });
    const trouble: string[] = [];
    for (const path of await kindsOfPage(page)) {
      await page.goto(`${site.origin}/${path}`);
      await unfold(page);
      trouble.push(...(await flaws(page)).map((each) => `${path} ${each}`));
      const wide = await page.locator('html').evaluate((html) => html.scrollWidth);
      if (wide > width) trouble.push(`${path} is ${wide} wide`);
    }
    expect(trouble).toEqual([]);
    await page.close();
  });
}

test('no page asks for anything outside, or runs what a target said', async () => {
  for (const [{ origin, open }, paths] of [
    [site, await allOf(site)],
    [evil, await allOf(evil)],
  ] as const) {
    const page = await open('method/');
    const left: string[] = [];
    page.on('request', (request) => left.push(request.url()));
    page.on('console', (message) => left.push(message.text()));
    page.on('pageerror', (error) => left.push(String(error)));
    for (const path of paths) {
      await page.goto(`${origin}/${path}`);
      expect(await page.title()).toContain('Candleproof');
    }
    expect(left.filter((each) => !each.startsWith(`${origin}/`) && each !== 'data:,')).toEqual([]);
    expect(left.length).toBeGreaterThan(20);
    await page.close();
  }
});

const most = 14;

async function allOf({ open, origin }: ServedPages): Promise<string[]> {
  const page = await open('');
  const found = new Set(['']);
  for (const path of found) {
    if (found.size > most) break;
    await page.goto(`${origin}/${path}`);
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((each) => Reflect.get(each, 'href')));
    for (const link of links) {
      const { pathname } = new URL(link);
      if (pathname.endsWith('/')) found.add(decodeURIComponent(pathname.slice(1)));
    }
  }
  await page.close();
  return [...found].slice(0, most);
}

test('the keyboard reaches a mark and the grid, which scrolls', async () => {
  const page = await site.open('t/main/', { width: 360 });
  const grid = page.getByRole('region', { name: /run by run$/ });
  await grid.focus();
  await expect(grid).toBeFocused();
  await grid.getByTitle('2026-11-05: failed').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/runs\/[0-9a-f]{16}\/#finding\/candle\/average-is-within-range\+/);
  await page.close();
});

test('paper is light, without what leads elsewhere', async () => {
  const page = await site.open('', { colorScheme: 'dark', width: 720 });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.locator('nav.trail')).toBeHidden();
  await expect(page.getByText('Nonconformant since 2026-11-05')).toBeVisible();
  await page.close();
});
