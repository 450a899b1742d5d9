import { listSizes, listSpaces, spaceSteps, typeSizes } from '@candleproof/reports/testing/style-scale';
import { expect, test } from '@playwright/test';
import { monitorStyles } from './styles.ts';
import { indexStyles } from './target-index.ts';
import { windowStyles } from './watch-rows.ts';

test('pages of monitors use the sizes of type and the steps of space of every page', () => {
  const sheets = monitorStyles + indexStyles + windowStyles;
  expect(typeSizes).toEqual(expect.arrayContaining([...listSizes(sheets)]));
  expect(spaceSteps).toEqual(expect.arrayContaining([...listSpaces(sheets)]));
  expect(Math.min(listSizes(sheets).size, listSpaces(sheets).size)).toBeGreaterThan(2);
});
