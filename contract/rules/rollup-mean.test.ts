import { test } from '@playwright/test';
import { meanBreaches, meanNearMisses } from '../testing/breaches/rollup-mean.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of meanBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of meanNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
