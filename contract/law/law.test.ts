import { test } from '@playwright/test';
import { breachTables } from '../worlds/breach-tables.ts';
import { expectBreach, expectSilence } from '../worlds/expectations.ts';

const { breaches, nearMisses } = await breachTables();

for (const each of breaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of nearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
