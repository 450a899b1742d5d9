import { test } from '@playwright/test';
import { authenticationBreaches, authenticationNearMisses } from '../testing/breaches/authentication.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of authenticationBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of authenticationNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
