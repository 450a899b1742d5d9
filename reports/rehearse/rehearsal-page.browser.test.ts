import { expect, test } from '@playwright/test';
import { hasBrowser } from '../testing/browser.ts';
import { sampleRehearsal } from '../testing/sample-rehearsal.ts';
import { flaws, type ServedPages, servePages } from '../testing/served-pages.ts';
import { rehearsalPage } from './rehearsal-page.ts';

test.describe.configure({ mode: 'default' });
test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

let pages: ServedPages;

test.beforeAll(async () => {
  pages = await servePages({ rehearsal: rehearsalPage(sampleRehearsal) });
});
test.afterAll(() => pages?.close());

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    test(`axe finds nothing in the page of a rehearsal in ${colorScheme} at ${width} pixels`, async () => {
      const page = await pages.open('rehearsal', { colorScheme, width });
      for (const each of await page.locator('details > summary').all()) await each.click();
      expect(await flaws(page)).toEqual([]);
      expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(width);
      await page.close();
    });
  }
}

test('on paper the page of a rehearsal has nothing beyond its edge', async () => {
  const page = await pages.open('rehearsal', { width: 688 });
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(688);
  const wide = await page
    .locator('.scroll')
    .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length);
  expect(wide).toBe(0);
  await page.close();
});
