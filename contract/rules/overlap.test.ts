import { test } from '@playwright/test';
import { overlapBreaches, overlapNearMisses } from '../testing/breaches/overlap.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of overlapBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of overlapNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
