import { expect as ofPlaywright } from '@playwright/test';

/** A test that a file declares. */
export type Collected = { readonly title: string; readonly run: () => unknown };

/** Replaces Playwright's `test`: collects tests, to run them once per mutant. */
export const collected: Collected[] = [];

/** Collects a test. */
export function test(title: string, run: () => unknown): void {
  collected.push({ title, run });
}

/** Playwright's `expect`, which needs no runner. */
export const expect = ofPlaywright;
