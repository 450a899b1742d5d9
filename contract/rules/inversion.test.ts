import { test } from '@playwright/test';
import { inversionBreaches, inversionNearMisses } from '../testing/breaches/inversion.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of inversionBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of inversionNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
