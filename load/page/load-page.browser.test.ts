import { testWholePage } from '@candleproof/reports/testing/whole-page';
import { expect, test } from '@playwright/test';
import { sampleFigures, sampleRun } from '../testing/runs.ts';
import { loadPage } from './load-page.ts';

const slices = sampleFigures.slices.map((slice) => ({
  ...slice,
  sent: 1250,
  errors: 120,
  latency: { 17: 1250 },
}));

const pages = testWholePage('a load', () => loadPage(sampleRun({ slices, breached: 20 })));

test('on paper the load page has whole words and numbers', async () => {
  // The width of A4 between its margins.
  const page = await pages().open('whole', { width: 688 });
  await page.emulateMedia({ media: 'print' });
  const broken = await page.locator('#throughput :is(th, td)').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const text = cell.ownerDocument.createRange();
      text.selectNodeContents(cell);
      return text.getClientRects().length > 1 ? [cell.textContent] : [];
    }),
  );
  expect(broken).toEqual([]);
  await page.close();
});
