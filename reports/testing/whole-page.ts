import { expect, test } from '@playwright/test';
import { hasBrowser } from './browser.ts';
import { flaws, type ServedPages, servePages, unfold, views } from './served-pages.ts';

/** Defines the tests of a standalone page: accessible and no wider than its window, all unfolded, and on paper. */
export function testWholePage(what: string, make: () => string | Promise<string>): void {
  test.describe.configure({ mode: 'default' });
  test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

  let pages: ServedPages;

  test.beforeAll(async () => {
    pages = await servePages({ whole: await make() });
  });

  test.afterAll(() => pages?.close());

  for (const { width, colorScheme, details } of views) {
    test(
      `axe finds nothing in the page of ${what} in ${colorScheme} at ${width} pixels`,
      details,
      async () => {
        const page = await pages.open('whole', { colorScheme, width });
        await unfold(page);
        expect(await flaws(page)).toEqual([]);
        expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(width);
        await page.close();
      },
    );
  }

  test(`on paper the page of ${what} has nothing beyond its edge`, async () => {
    // The width of A4 between its margins.
    const page = await pages.open('whole', { width: 688 });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(688);
    const wide = await page
      .locator('.scroll')
      .evaluateAll((all) => all.filter((element) => element.scrollWidth > element.clientWidth).length);
    expect(wide).toBe(0);
    await page.close();
  });
}
