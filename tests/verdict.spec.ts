import { expect, test } from '@playwright/test';
import { readRun } from './support/run-store.ts';

test('the verdict on the target is conformant', () => {
  const { verdict, reason } = readRun();
  expect(verdict, reason).toBe('conformant');
});
