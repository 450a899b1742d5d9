import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { called } from '@candleproof/command/called';
import { candleproof } from '@candleproof/command/command';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { catalogueVersion } from '@candleproof/law/rules/catalogue-version';
import { expect, test } from '@playwright/test';

const folder = passingFolder();
const all = catalogue.rules.length + catalogue.questions.length;

test('rules lists every rule and question with its level', async () => {
  const { code, stdout } = await candleproof(['rules']);
  expect(code).toBe(0);
  expect(stdout.trim().split('\n')).toHaveLength(all + 2);
  expect(stdout).toMatch(/^candle\/low-is-lowest +must +§2\.2 +low ≤ open, high and close\.$/m);
  expect(stdout).toMatch(/^candle\/phase +observe/m);
});

test('a group lists its own rules alone', async () => {
  const { stdout } = await candleproof(['rules', 'tokens']);
  const lines = stdout.trim().split('\n');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !line.startsWith('tokens/'))).toEqual([]);
});

test('a rule is explained with its evidence and what to do about it', async () => {
  const { stdout } = await candleproof(['rules', 'candle/low-is-lowest']);
  expect(stdout).toContain('candle/low-is-lowest  (must, §2.2 of the document)');
  expect(stdout).toContain('docs/the-api.md, §2.2');
  expect(stdout).toMatch(/^Why: .+\.$/m);
  expect(stdout).toMatch(/^Evidence: 2 requests: latest hour, each pool; history hour recent, each pool$/m);
  expect(stdout).toMatch(/^When it fails: the target breaks its document\./m);
  expect(stdout).toContain('npx candleproof check --only candle/low-is-lowest');
});

test('a question is explained by what its answer may change', async () => {
  const { stdout } = await candleproof(['rules', 'candle/phase']);
  expect(stdout).toMatch(/^When the answer changes: nothing is broken/m);
});

test('programs get every rule as JSON', async () => {
  const { stdout } = await candleproof(['rules', '--json']);
  const reported = JSON.parse(stdout) as { catalogue: string; rules: Record<string, unknown>[] };
  expect(reported.catalogue).toBe(catalogueVersion);
  expect(reported.rules).toHaveLength(all);
  expect(reported.rules.find((rule) => rule.id === 'candle/low-is-lowest')).toMatchObject({
    level: 'must',
    section: '2.2',
    requests: 2,
    needs: expect.arrayContaining([expect.objectContaining({ role: 'history' })]),
  });
});

test('the catalogue is written whole, over what the file held', async () => {
  const file = join(folder, 'rules.md');
  writeFileSync(file, 'anything\n');
  expect(await candleproof(['rules', '--markdown', file, '--force'])).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(file, 'utf8')).toBe(readFileSync('docs/rules.md', 'utf8'));
});

const refusals: [what: string, args: string[], names: RegExp][] = [
  ['a rule that there is not', ['candle/lowest'], /"candle\/lowest"; near it: candle\/low-is-lowest/],
  ['a folder to write to', ['--markdown', folder], /--markdown: .* is a folder; name a file/],
  ['a single rule to write', ['candle', '--markdown', join(folder, 'a.md')], /--markdown:.*"candle"/],
];

for (const [what, args, names] of refusals) {
  test(`${what} is refused in one line`, async () => {
    const { code, stdout, stderr } = await called(['rules', ...args]);
    expect(stderr.trim()).toMatch(names);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
}

test('a verdict names the law that it was reached by', async () => {
  const har = join('tests', 'fixtures', 'published-answers.har');
  const out = join(folder, 'out');
  await candleproof(['judge', har, '--only', 'candle', '--out', out]);
  const run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as { versions: { catalogue: string } };
  expect(run.versions.catalogue).toBe(catalogueVersion);
});

test('every section that a rule cites can be read in the docs', async () => {
  const { stdout } = await candleproof(['rules', '--json']);
  const { rules }: { rules: { section: string }[] } = JSON.parse(stdout);
  const page = readFileSync('docs/the-api.md', 'utf8');
  const missing = rules
    .map(({ section }) => section)
    .filter(
      (section) => section !== '' && !page.includes(`§${section} `) && !page.includes(`\n| ${section} | `),
    );
  expect([...new Set(missing)]).toEqual([]);
});
