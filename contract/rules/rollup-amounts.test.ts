import { test } from '@playwright/test';
import { amountBreaches, amountNearMisses } from '../testing/breaches/rollup-amounts.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of amountBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of amountNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
