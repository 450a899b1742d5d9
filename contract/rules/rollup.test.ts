import { test } from '@playwright/test';
import { rollupBreaches, rollupNearMisses } from '../testing/breaches/rollup.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of rollupBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of rollupNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
