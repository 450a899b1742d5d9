import { test } from '@playwright/test';
import { rangeEdgeBreaches, rangeEdgeNearMisses } from '../testing/breaches/range-edges.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of rangeEdgeBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of rangeEdgeNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
