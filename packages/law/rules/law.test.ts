import { test } from '@playwright/test';
import { loadBreachTables, type Setting } from '../worlds/breach-case.ts';
import { expectBreach, expectSilence } from '../worlds/testing/expectations.ts';

const { breaches, nearMisses } = await loadBreachTables();

/** Names the case that fails: the cases of a rule share a test, since Playwright takes as long for one as the judge for a case. */
function expectEach<Case extends Setting>(
  cases: readonly Case[],
  expectation: (testCase: Case) => void,
): void {
  for (const testCase of cases) {
    try {
      expectation(testCase);
    } catch (error) {
      throw new Error(`${testCase.what}: ${(error as Error).message}`, { cause: error });
    }
  }
}

for (const [rule, cases] of Map.groupBy(breaches, (breach) => breach.rule))
  test(`${rule} reports its breaches`, () => expectEach(cases, expectBreach));

for (const [rule, cases] of Map.groupBy(nearMisses, (nearMiss) => nearMiss.rule))
  test(`${rule} forgives its near misses`, () => expectEach(cases, expectSilence));
