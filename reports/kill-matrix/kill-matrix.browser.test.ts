import { expect, test } from '@playwright/test';
import { palette } from '../run/tokens.ts';
import { sampleMatrix } from '../testing/sample-matrix.ts';
import { testWholePage } from '../testing/whole-page.ts';
import { killMatrixPage } from './kill-matrix.ts';

const pages = testWholePage('the kill matrix', () => killMatrixPage(sampleMatrix(60)));

test('cells of a narrow page lie below each other', async () => {
  const page = await pages().open('whole', { width: 360 });
  const boxes = await Promise.all(
    (await page.locator('#F2 > td').all()).map((locator) => locator.boundingBox()),
  );
  const tops = boxes.map((box) => box?.y ?? 0);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  expect(new Set(boxes.map((box) => box?.x)).size).toBe(1);
  await page.close();
});

test('the head leads to the fault that was not found', async () => {
  const page = await pages().open('whole');
  await page.getByRole('link', { name: 'F2', exact: true }).click();
  await expect(page.locator('#F2')).toBeInViewport();
  await expect(page.locator('#F2')).toContainText('not found');
  await page.close();
});

/** Returns a color as browsers write it. */
function asRgb(hex: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${parts.join(', ')})`;
}

test('paper shows everything in light colors, even in dark mode', async () => {
  const page = await pages().open('whole', { colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.locator('.pill')).toHaveCSS('color', asRgb(palette.fail[0]));
  await expect(page.locator('#F0 .witness').last()).toBeVisible();
  await expect(page.locator('#F30')).toBeVisible();
  await page.close();
});

test('the printed matrix is a PDF of several pages', async () => {
  const page = await pages().open('whole');
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.slice(0, 5)).toBe('%PDF-');
  expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(3);
  await page.close();
});
