import { test } from '@playwright/test';
import { quotaBreaches, quotaNearMisses } from '../testing/breaches/quota.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of quotaBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of quotaNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
