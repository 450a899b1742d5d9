import { globSync, readFileSync, statSync } from 'node:fs';
import { matchesGlob, sep } from 'node:path';
import { expect, test } from '@playwright/test';
import { repository } from './bundle.ts';
import { listDeadLinks } from './testing/dead-links.ts';

const { files } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Lists what npm packs of the clone, without what is built. */
function listPacked(): string[] {
  const always = ['README.md', 'LICENSE', 'package.json'];
  const [left, taken] = [files.filter(isLeftOut), files.filter((entry: string) => !isLeftOut(entry))];
  const named = [...always, ...taken].flatMap((entry: string) => globSync([entry, `${entry}/**`]));
  return named
    .map((file) => file.replaceAll(sep, '/'))
    .filter((file) => statSync(file).isFile())
    .filter((file) => !left.some((entry: string) => matchesGlob(file, entry.slice(1))));
}

function isLeftOut(entry: string): boolean {
  return entry.startsWith('!');
}

test('every link of a packed page leads to a packed file, and to a heading if it names one', () => {
  const packed = listPacked();
  expect(packed).toContain('docs/monitoring.md');
  expect(listDeadLinks(packed)).toEqual([]);
  expect(listDeadLinks(packed.filter((file) => file !== 'docs/monitoring.md')).length).toBeGreaterThan(2);
});

test('every document that a message names is in the package', () => {
  const sources = globSync('{cli,contract,conformance,reports,library}/**/*.ts');
  const named = sources.flatMap((file) => readFileSync(file, 'utf8').match(/\bdocs\/[a-z-]+\.md/g) ?? []);
  expect(named.length).toBeGreaterThan(5);
  const packed = listPacked();
  expect([...new Set(named)].filter((file) => !packed.includes(file))).toEqual([]);
});

test('templates name the repository of package.json', () => {
  const owner = new URL(repository).pathname.slice(1);
  for (const file of [...globSync('deploy/github/*.yml'), 'docs/ci.md']) {
    const names = readFileSync(file, 'utf8').match(/[\w-]+\/candleproof(?=@|$)/gm) ?? [];
    for (const name of names) expect(name, file).toBe(owner);
  }
});
