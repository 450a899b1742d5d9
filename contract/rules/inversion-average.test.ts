import { test } from '@playwright/test';
import {
  inversionAverageBreaches,
  inversionAverageNearMisses,
} from '../testing/breaches/inversion-average.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of inversionAverageBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of inversionAverageNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
