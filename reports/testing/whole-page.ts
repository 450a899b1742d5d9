import { expect, test } from '@playwright/test';
import { hasBrowser } from './browser.ts';
import { listTextSizes, type ServedPages, servePages, troubleInViews } from './served-pages.ts';

/** Serves pages to the tests of a file, which run one after the other; the first page is `whole`. */
export function serveForTests(
  make: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>,
): () => ServedPages {
  test.describe.configure({ mode: 'default' });
  test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

  let pages: ServedPages | undefined;

  test.beforeAll(async () => {
    pages = await servePages(await make());
  });

  test.afterAll(() => pages?.close());

  return () => {
    if (!pages) throw new Error('pages are served to tests alone');
    return pages;
  };
}

/** Defines the tests of a standalone page: accessible and no wider than its window, all unfolded, and on paper. */
export function testWholePage(what: string, make: () => string | Promise<string>): () => ServedPages {
  const pages = serveForTests(async () => ({ whole: await make() }));

  test(`axe finds nothing in the page of ${what}, and it is no wider than its window`, async () => {
    const page = await pages().open('whole');
    expect(await troubleInViews(page)).toEqual([]);
    expect((await listTextSizes(page)).length).toBeLessThanOrEqual(5);
    await page.close();
  });

  test(`on paper the page of ${what} has nothing beyond its edge`, async () => {
    // The width of A4 between its margins.
    const page = await pages().open('whole', { width: 688 });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(688);
    const wide = await page
      .locator('.scroll')
      .evaluateAll((all) => all.filter((element) => element.scrollWidth > element.clientWidth).length);
    expect(wide).toBe(0);
    await page.close();
  });

  return pages;
}
