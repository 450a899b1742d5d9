import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, matchesGlob, normalize } from 'node:path';
import { expect, test } from '@playwright/test';
import { repository } from './bundle.ts';

const { files } = JSON.parse(readFileSync('package.json', 'utf8'));

function isPacked(file: string): boolean {
  const always = ['README.md', 'LICENSE', 'package.json'];
  return [...always, ...files].some(
    (entry: string) => file.startsWith(`${entry}/`) || matchesGlob(file, entry),
  );
}

test('every document that README, a document or a message names is in the package', () => {
  const pages = ['README.md', ...globSync('docs/**/*.md')];
  const linked = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) =>
      normalize(join(dirname(page), to)),
    ),
  );
  const sources = globSync('{cli,contract,conformance,reports,library}/**/*.ts');
  const named = sources.flatMap((file) => readFileSync(file, 'utf8').match(/\bdocs\/[a-z-]+\.md/g) ?? []);
  const wanted = [...new Set([...linked, ...named])];
  expect(wanted.filter((file) => !existsSync(file))).toEqual([]);
  // Sources and pictures are seen in a clone, schemas are exports of the package.
  const isSource = (file: string): boolean =>
    /\.ts$|\.schema\.json$|\.png$/.test(file) || statSync(file).isDirectory();
  const documents = wanted.filter((file) => !isSource(file) && !isPacked(file));
  expect(documents).toEqual([]);
});

test('templates name the repository of package.json', () => {
  const owner = new URL(repository).pathname.slice(1);
  for (const file of [...globSync('deploy/github/*.yml'), 'docs/ci.md']) {
    const names = readFileSync(file, 'utf8').match(/[\w-]+\/candleproof(?=@|$)/gm) ?? [];
    for (const name of names) expect(name, file).toBe(owner);
  }
});
