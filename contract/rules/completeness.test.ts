import { test } from '@playwright/test';
import { completenessBreaches, completenessNearMisses } from '../testing/breaches/completeness.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of completenessBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of completenessNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
