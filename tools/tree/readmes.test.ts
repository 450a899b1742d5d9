import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';

type Readme = { readonly folder: string; readonly name: string; readonly text: string };

const runFile = promisify(execFile);
const { workspaces } = readJson('package.json');
const readmes = globSync(workspaces.map((pattern: string) => `${pattern}/package.json`))
  .map((file) => dirname(file))
  .toSorted()
  .map(readReadme);

/** Samples that run at once. */
const atOnce = 4;

test('every package has a README of a page, with its name and its tests', () => {
  expect(readmes.length).toBeGreaterThan(20);
  for (const { folder, name, text } of readmes) {
    const [title, ...lines] = text.trimEnd().split('\n');
    const [fewest, most] = isTool(folder) ? [8, 30] : [20, 60];
    expect.soft(title, folder).toBe(`# ${name}`);
    expect.soft(lines.length + 1, `lines of ${folder}`).toBeGreaterThanOrEqual(fewest);
    expect.soft(lines.length + 1, `lines of ${folder}`).toBeLessThanOrEqual(most);
    expect.soft(text.includes(`\`npm test -w ${folder}\``), `npm test of ${folder}`).toBe(hasTests(folder));
  }
});

test('every product package shows one sample, and names its folders, imports and words', () => {
  for (const { folder, name, text } of readmes.filter((readme) => !isTool(readme.folder))) {
    const [sample, ...others] = text.match(/^```(ts|console)\b.*?^```$/gms) ?? [];
    expect.soft(others, folder).toEqual([]);
    expect.soft(sample, folder).toMatch(new RegExp(`^\`\`\`console\\b|from '${name}/`));
    const headings = text.match(/^## .*$/gm);
    const expected = ['## Folders', '## What it may import', '## Test it alone', '## Words'];
    expect.soft(headings, folder).toEqual(expected);
  }
});

test('every sample prints what its comments say', async () => {
  const samples = readmes.flatMap(({ folder, text }) => {
    const code = /^```ts\n(.*?)^```$/ms.exec(text)?.[1];
    return code === undefined ? [] : [{ folder, code }];
  });
  expect(samples.length).toBeGreaterThan(10);
  for (let first = 0; first < samples.length; first += atOnce) {
    await Promise.all(
      samples.slice(first, first + atOnce).map(async ({ folder, code }) => {
        const promised = [...code.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => `${line}\n`);
        expect.soft(promised, folder).not.toEqual([]);
        expect.soft(await run(folder, code), folder).toBe(promised.join(''));
      }),
    );
  }
});

/** Runs a sample in the clone, where it finds the packages, and returns what it prints, or why it ended. */
async function run(folder: string, code: string): Promise<string> {
  const file = test.info().outputPath(`${basename(folder)}.ts`);
  writeFileSync(file, code);
  const env = { ...process.env, FORCE_COLOR: '0' };
  try {
    return (await runFile(process.execPath, [file], { env, timeout: 20_000 })).stdout;
  } catch (error) {
    return String(error);
  }
}

function readReadme(folder: string): Readme {
  const file = join(folder, 'README.md');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return { folder, name: readJson(join(folder, 'package.json')).name, text };
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function isTool(folder: string): boolean {
  return folder.startsWith('tools/');
}

/** Returns whether a package has tests; one whose work is to run others' tests or to measure has none. */
function hasTests(folder: string): boolean {
  return globSync(`${folder}/**/*.{test,spec}.ts`).length > 0;
}
