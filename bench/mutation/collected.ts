import { expect as ofPlaywright } from '@playwright/test';

/** What a test file declares. */
export type Collected = { readonly title: string; readonly run: () => unknown };

/** Takes the place of Playwright's `test`: the tests are only collected, to be run as often as there are mutants. */
export const collected: Collected[] = [];

export function test(title: string, run: () => unknown): void {
  collected.push({ title, run });
}

/** Playwright's own, which needs no runner. */
export const expect = ofPlaywright;
