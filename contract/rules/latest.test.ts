import { test } from '@playwright/test';
import { latestBreaches, latestNearMisses } from '../testing/breaches/latest.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of latestBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of latestNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
