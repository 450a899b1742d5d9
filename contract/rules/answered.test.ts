import { test } from '@playwright/test';
import { answeredBreaches, answeredNearMisses } from '../testing/breaches/answered.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of answeredBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of answeredNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
