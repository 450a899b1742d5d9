import { test } from '@playwright/test';
import { loadBreachTables } from '../worlds/breach-case.ts';
import { expectBreach, expectSilence } from '../worlds/testing/expectations.ts';

const { breaches, nearMisses } = await loadBreachTables();

for (const breach of breaches) {
  test(`${breach.rule} reports ${breach.what}`, () => expectBreach(breach));
}

for (const nearMiss of nearMisses) {
  test(`${nearMiss.rule} forgives ${nearMiss.what}`, () => expectSilence(nearMiss));
}
