import { test } from '@playwright/test';
import { transportBreaches, transportNearMisses } from '../testing/breaches/transport.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of transportBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of transportNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
