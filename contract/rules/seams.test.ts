import { test } from '@playwright/test';
import { seamBreaches, seamNearMisses } from '../testing/breaches/seams.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of seamBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of seamNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
