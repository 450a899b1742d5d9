import { test } from '@playwright/test';
import { chargeBreaches, chargeNearMisses } from '../testing/breaches/quota-charges.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of chargeBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of chargeNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
