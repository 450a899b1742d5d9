import { expect, test } from '@playwright/test';
import { csvOf, gated, rolledUp, rowsAt, stepped } from '../../gate/testing/tables.ts';
import { hasBrowser } from '../testing/browser.ts';
import { flaws, type ServedPages, servePages } from '../testing/served-pages.ts';
import { gatePage } from './gate-page.ts';

test.describe.configure({ mode: 'default' });
test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

let pages: ServedPages;

test.beforeAll(async () => {
  const rows = rowsAt(stepped(600, 300)).filter((_, at) => at !== 200);
  const broken = rows.map((row, at) => (at % 90 === 7 ? { ...row, low: row.high + 1 } : row));
  const result = await gated({
    'a-folder/with-a-long-name/BTCUSDT-5m-2019-01.csv': csvOf(broken),
    'a-folder/with-a-long-name/BTCUSDT-1h-2019-01.csv': csvOf(rolledUp(rows, 12)),
  });
  pages = await servePages({ gate: gatePage(result, '1.0.0') });
});

test.afterAll(() => pages?.close());

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    test(`axe finds nothing in the gate page in ${colorScheme} at ${width} pixels`, async () => {
      const page = await pages.open('gate', { colorScheme, width });
      expect(await flaws(page)).toEqual([]);
      expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(width);
      await page.close();
    });
  }
}

test('on paper the gate page has nothing beyond its edge', async () => {
  // The width of A4 between its margins.
  const page = await pages.open('gate', { width: 688 });
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(688);
  const wide = await page
    .locator('.scroll')
    .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length);
  expect(wide).toBe(0);
  await page.close();
});
