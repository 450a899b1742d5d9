import { readdirSync, readFileSync } from 'node:fs';
import { rules } from '@candleproof/law/rules/catalogue';
import { expect, test } from '@playwright/test';

test('the suite has one file for every section with rules', () => {
  const files = readdirSync('tests').filter(
    (file) => file.endsWith('.spec.ts') && file !== 'verdict.spec.ts',
  );
  const tested = files.flatMap(
    (file) => /testSection\('(.*)'\)/.exec(readFileSync(`tests/${file}`, 'utf8'))?.[1] ?? [],
  );
  expect(tested.toSorted()).toEqual([...new Set(rules.map((rule) => rule.section))].toSorted());
});
