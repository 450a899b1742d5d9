import { test } from '@playwright/test';
import { copyBreaches, copyNearMisses } from '../testing/breaches/history-copies.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of copyBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of copyNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
