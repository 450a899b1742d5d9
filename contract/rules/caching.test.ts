import { test } from '@playwright/test';
import { cachingBreaches, cachingNearMisses } from '../testing/breaches/caching.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of cachingBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of cachingNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
