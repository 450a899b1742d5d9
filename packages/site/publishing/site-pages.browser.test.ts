import { hasBrowser } from '@candleproof/reports/testing/browser';
import { type ServedPages, troubleInViews } from '@candleproof/reports/testing/served-pages';
import { expect, type Page, test } from '@playwright/test';
import {
  broken,
  evilText,
  poisoned,
  sampleEntries,
  sampleRunOn,
  writeRun,
  writeSample,
} from './testing/sample-site.ts';
import { placeOfRun, serveSample } from './testing/served-site.ts';

// These tests come last: side by side they end in half the time.
test.describe.configure({ mode: 'parallel' });
test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

const average = 'candle/average-is-within-range';
let site: ServedPages;
let evil: ServedPages | undefined;
const link = 'javascript:document.title="owned"//';

test.beforeAll(async ({ browserName: _ }, info) => {
  info.setTimeout(180_000);
  site = await serveSample(await writeSample(info.outputPath('in')), info.outputPath('site'));
});

test.afterAll(async () => {
  await site?.close();
  await evil?.close();
});

/** Returns one page of each kind; lists of faults and loads are made as those of rules and months. */
async function kindsOfPage(page: Page): Promise<string[]> {
  const run = await placeOfRun(page, site, -1);
  const { loads } = await (await page.request.get(`${site.origin}/api/index.json`)).json();
  return [
    ...['', 'all/', 't/main/', run, `${run}exchanges/4/`, `${run}changes/`, 'compare/', 'rules/'],
    ...['faults/000000000001/', 'monitor/', 'monitor/mainnet/2026-11/'],
    ...[`load/${loads[0].id}/`, 'gallery/', 'method/'],
  ];
}

test('axe finds nothing on any kind of page, and none is wider than its window', async () => {
  test.setTimeout(180_000);
  const page = await site.open('');
  const trouble: string[] = [];
  for (const path of await kindsOfPage(page)) {
    await page.goto(`${site.origin}/${path}`);
    trouble.push(...(await troubleInViews(page)).map((flaw) => `${path} ${flaw}`));
  }
  expect(trouble).toEqual([]);
  await page.close();
});

test('no page asks for anything outside, or runs what a target said', async () => {
  test.setTimeout(180_000);
  evil = await serveEvil();
  const { origin, open } = evil;
  // The policy must have nothing to refuse, and nothing may happen without it.
  for (const bypassCSP of [false, true]) {
    const page = await open('method/', { bypassCSP });
    const left: string[] = [];
    page.on('request', (request) => left.push(request.url()));
    page.on('console', (message) => left.push(message.text()));
    page.on('pageerror', (error) => left.push(String(error)));
    await page.addInitScript(tellViolations);
    // Iterating over a set includes items that are added meanwhile.
    const paths = new Set(['', ...(await comparisons(page, origin))]);
    let visited = 0;
    for (const path of paths) {
      if (++visited > most) break;
      await page.goto(`${origin}/${path}`);
      if (path.startsWith('compare/?')) await expect(page.locator('#difference')).not.toBeEmpty();
      expect(await page.title()).toContain('Candleproof');
      for (const link of await linkedFrom(page, origin)) paths.add(link);
    }
    expect(left.filter((link) => !link.startsWith(`${origin}/`) && link !== 'data:,')).toEqual([]);
    expect(left.length).toBeGreaterThan(20);
    await page.close();
  }
});

/** Serves a site of runs whose every field holds hostile text, or a link that runs code. */
function serveEvil(): Promise<ServedPages> {
  const info = test.info();
  const run = broken(sampleRunOn('main', 2), average);
  const inputs = [
    writeRun(info.outputPath('evil-in'), poisoned(run, evilText, 20), poisoned(sampleEntries, evilText, 20)),
    writeRun(
      info.outputPath('link-in'),
      ...([poisoned(run, link, 1), poisoned(sampleEntries, link, 1)] as const),
    ),
  ];
  return serveSample(inputs, info.outputPath('evil'));
}

/** Pages of each site that are visited. */
const most = 14;

/** Reports on the page's console what its policy refused. */
const tellViolations = `addEventListener('securitypolicyviolation', (event) => console.log('refused', event.blockedURI))`;

/** Returns comparisons of the first two runs of each target, which the site's script draws. */
async function comparisons(page: Page, origin: string): Promise<string[]> {
  const { targets } = await (await page.request.get(`${origin}/api/index.json`)).json();
  return targets.map(({ slug, runs }: { slug: string; runs: { id: string }[] }) => {
    const [a, b] = runs.map(({ id }) => encodeURIComponent(`${slug}/${id}`));
    return `compare/?a=${a}&b=${b ?? a}`;
  });
}

/** Returns the paths that a page links to; checks that every link stays within the site or leads to a web document. */
async function linkedFrom(page: Page, origin: string): Promise<string[]> {
  const links = await page
    .locator('a[href]')
    .evaluateAll((all) => all.map((anchor) => String(Reflect.get(anchor, 'href'))));
  expect(links.filter((link) => !link.startsWith(`${origin}/`) && !link.startsWith('https://'))).toEqual([]);
  const paths = links
    .filter((link) => link.startsWith(origin))
    .map((link) => decodeURIComponent(new URL(link).pathname.slice(1)));
  return paths.filter((path) => path.endsWith('/'));
}

test('a keyboard first reaches the link to the content, and no text of a strip of days is below 11 pixels', async () => {
  const page = await site.open('');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#main$/);
  const height = await page.evaluate<number>(`(() => {
    const text = document.querySelector('.day-strip text');
    return text.getScreenCTM().a * Number.parseFloat(getComputedStyle(text).fontSize);
  })()`);
  expect(height).toBeGreaterThanOrEqual(11);
  await page.close();
});

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
  await expect(page.getByRole('heading', { name: 'targets break a must' })).toBeVisible();
  await page.close();
});
