import { expect, test } from '@playwright/test';
import { readRun, reportFile } from './support/run-store.ts';

test('the verdict on the target is conformant', async () => {
  const { verdict, reason } = readRun();
  await test.info().attach('report.html', { path: reportFile, contentType: 'text/html' });
  expect(verdict, reason).toBe('conformant');
});
