import { test } from '@playwright/test';
import { quotaStateBreaches, quotaStateNearMisses } from '../testing/breaches/quota-state.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of quotaStateBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of quotaStateNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
