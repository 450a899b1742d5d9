import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Collected } from './collected.ts';
import type { Modules } from './modules.ts';

export type Test = Collected & { readonly id: string; readonly file: string };

/** Beside the tests of the rules: the laws that hold for all of them, the cases in which they were once wrong, and
 * those of questions that share their functions. */
const others = [
  'packages/law/judge/judge.test.ts',
  'packages/law/judge/regressions.test.ts',
  'packages/law/rules/authentication/refusal-questions.test.ts',
  'packages/law/rules/transport/service-questions.test.ts',
];

/** Long-running tests, which do not test a single rule. */
const enduring = /thousand/;

/** Lists the test files of a sandbox. */
export function testFiles({ root }: Modules): string[] {
  const law = readdirSync(fileURLToPath(new URL('packages/law/rules/', root)), {
    recursive: true,
    encoding: 'utf8',
  });
  const isOfRules = (file: string): boolean => file.endsWith('.test.ts') && !file.includes('questions');
  return [...law.filter(isOfRules).map((file) => `packages/law/rules/${file}`), ...others];
}

/** Collects the tests of these files, imported through the modules. */
export async function collect(modules: Modules, files: readonly string[]): Promise<Test[]> {
  const { collected } = (await modules.import('tools/bench/mutation/collected.ts')) as {
    readonly collected: Collected[];
  };
  const tests: Test[] = [];
  for (const file of files) {
    await modules.import(file);
    const declared = collected.splice(0).filter(({ title }) => !enduring.test(title));
    tests.push(...declared.map((test) => ({ ...test, file, id: `${file} ${test.title}` })));
  }
  return tests;
}

/** Lists the ids of rules and questions in these files. */
export function listIds(
  { root }: Modules,
  files: Iterable<string>,
  law: readonly { readonly id: string }[],
): Set<string> {
  const texts = [...files]
    .filter((file) => /^packages\/law\/rules\/[a-z]+\//.test(file) && !/\.(test|breaches)\.ts$/.test(file))
    .map((file) => readFileSync(new URL(file, root), 'utf8'));
  return new Set(law.map(({ id }) => id).filter((id) => texts.some((text) => text.includes(`'${id}'`))));
}
