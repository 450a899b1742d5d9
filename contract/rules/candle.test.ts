import { test } from '@playwright/test';
import { candleBreaches, candleNearMisses } from '../testing/breaches/candle.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of candleBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of candleNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
