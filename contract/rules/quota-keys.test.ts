import { test } from '@playwright/test';
import { keyBreaches, keyNearMisses } from '../testing/breaches/quota-keys.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of keyBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of keyNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
