import { expect, test } from '@playwright/test';
import { catalogue } from './catalogue.ts';
import { ruleFacts } from './facts.ts';

test('every rule has the facts of its group', () => {
  expect(catalogue.rules.filter((rule) => ruleFacts(rule) === undefined)).toEqual([]);
});
