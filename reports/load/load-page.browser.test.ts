import { expect, test } from '@playwright/test';
import { sampleFigures, sampleRun } from '../../load/testing/runs.ts';
import { hasBrowser } from '../testing/browser.ts';
import { flaws, type ServedPages, servePages } from '../testing/served-pages.ts';
import { loadPage } from './load-page.ts';

test.describe.configure({ mode: 'default' });
test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

const slices = sampleFigures.slices.map((slice) => ({
  ...slice,
  sent: 1250,
  errors: 120,
  latency: { 17: 1250 },
}));

let pages: ServedPages;

test.beforeAll(async () => {
  pages = await servePages({ load: loadPage(sampleRun({ slices, breached: 20 })) });
});

test.afterAll(() => pages?.close());

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    test(`axe finds nothing in the load page in ${colorScheme} at ${width} pixels`, async () => {
      const page = await pages.open('load', { colorScheme, width });
      expect(await flaws(page)).toEqual([]);
      expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(width);
      await page.close();
    });
  }
}

test('on paper the load page has whole words and numbers, and nothing beyond its edge', async () => {
  // The width of A4 between its margins.
  const page = await pages.open('load', { width: 688 });
  await page.emulateMedia({ media: 'print' });
  const broken = await page.locator('#throughput :is(th, td)').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const text = cell.ownerDocument.createRange();
      text.selectNodeContents(cell);
      return text.getClientRects().length > 1 ? [cell.textContent] : [];
    }),
  );
  expect(broken).toEqual([]);
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(688);
  await page.close();
});
