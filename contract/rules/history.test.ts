import { test } from '@playwright/test';
import { historyBreaches, historyNearMisses } from '../testing/breaches/history.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of historyBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of historyNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
