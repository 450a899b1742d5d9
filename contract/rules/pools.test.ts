import { test } from '@playwright/test';
import { poolBreaches, poolNearMisses } from '../testing/breaches/pools.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of poolBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of poolNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
