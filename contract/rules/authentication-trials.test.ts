import { test } from '@playwright/test';
import { trialBreaches, trialNearMisses } from '../testing/breaches/authentication-trials.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of trialBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of trialNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
