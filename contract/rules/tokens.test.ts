import { test } from '@playwright/test';
import { tokenBreaches, tokenNearMisses } from '../testing/breaches/tokens.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of tokenBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of tokenNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
