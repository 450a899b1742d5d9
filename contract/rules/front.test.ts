import { test } from '@playwright/test';
import { frontBreaches, frontNearMisses } from '../testing/breaches/front.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of frontBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of frontNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
