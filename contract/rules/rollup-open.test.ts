import { test } from '@playwright/test';
import { openBreaches, openNearMisses } from '../testing/breaches/rollup-open.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of openBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of openNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
