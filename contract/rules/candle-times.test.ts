import { test } from '@playwright/test';
import { candleTimeBreaches, candleTimeNearMisses } from '../testing/breaches/candle-times.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of candleTimeBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of candleTimeNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
