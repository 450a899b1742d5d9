import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { rules } from '../contract/law/catalogue.ts';

test('the suite has one file for each section that has rules', () => {
  const files = readdirSync('tests').filter(
    (each) => each.endsWith('.spec.ts') && each !== 'verdict.spec.ts',
  );
  const tested = files.flatMap(
    (file) => /testSection\('(.*)'\)/.exec(readFileSync(`tests/${file}`, 'utf8'))?.[1] ?? [],
  );
  expect(tested.toSorted()).toEqual([...new Set(rules.map((rule) => rule.section))].toSorted());
});
