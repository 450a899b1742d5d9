import { test } from '@playwright/test';
import { errorBreaches, errorNearMisses } from '../testing/breaches/errors.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of errorBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of errorNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
