import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { listCopied } from './assemble.ts';
import { repository } from './manifest.ts';
import { listDeadLinks } from './testing/dead-links.ts';

test('every link of a packed page leads to a packed file, and to a heading if it names one', () => {
  const packed = listCopied();
  expect(packed).toContain('docs/monitoring.md');
  expect(listDeadLinks(packed)).toEqual([]);
  expect(listDeadLinks(packed.filter((file) => file !== 'docs/monitoring.md')).length).toBeGreaterThan(2);
});

test('every document that a message names is in the package', () => {
  const sources = globSync('{packages/{candleproof,document,law,check},reports}/**/*.ts');
  const named = sources.flatMap((file) => readFileSync(file, 'utf8').match(/\bdocs\/[a-z-]+\.md/g) ?? []);
  expect(named.length).toBeGreaterThan(5);
  const packed = listCopied();
  expect([...new Set(named)].filter((file) => !packed.includes(file))).toEqual([]);
});

test('templates name the repository of package.json', () => {
  const owner = new URL(repository).pathname.slice(1);
  for (const file of [...globSync('deploy/github/*.yml'), 'docs/ci.md']) {
    const names = readFileSync(file, 'utf8').match(/[\w-]+\/candleproof(?=@|$)/gm) ?? [];
    for (const name of names) expect(name, file).toBe(owner);
  }
});
