import { test } from '@playwright/test';
import { loadBreachTables } from '../worlds/breach-tables.ts';
import { expectBreach, expectSilence } from '../worlds/expectations.ts';

const { breaches, nearMisses } = await loadBreachTables();

for (const each of breaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of nearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
