import { test } from '@playwright/test';
import { presenceBreaches, presenceNearMisses } from '../testing/breaches/rollup-presence.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of presenceBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of presenceNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
