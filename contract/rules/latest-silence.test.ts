import { test } from '@playwright/test';
import { silenceBreaches, silenceNearMisses } from '../testing/breaches/latest-silence.ts';
import { expectBreach, expectSilence } from '../testing/expectations.ts';

for (const each of silenceBreaches) {
  test(`${each.rule} reports ${each.what}`, () => expectBreach(each));
}

for (const each of silenceNearMisses) {
  test(`${each.rule} forgives ${each.what}`, () => expectSilence(each));
}
