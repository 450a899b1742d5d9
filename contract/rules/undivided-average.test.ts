import { test } from '@playwright/test';
import { undividedBreaches } from '../testing/breaches/undivided-average.ts';
import { expectBreach } from '../testing/expectations.ts';

for (const each of undividedBreaches) {
  test(`a report says rightly what ${each.what} is`, () => expectBreach(each));
}
