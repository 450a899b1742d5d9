import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import '@candleproof/command/command';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { type BlockEnd, runLines, type ShellSetting } from '@candleproof/testing/block-shell';
import { isShown, listShellBlocks, listShownCalls, type PageBlock } from '@candleproof/testing/page-blocks';
import { expect, test } from '@playwright/test';
import { closings } from './help/closing.ts';
import { commandWords, listCalls, listCommands } from './help/help.ts';
import { buildProgram } from './main.ts';
import { openPageSetting, type PageSetting } from './testing/page-setting.ts';
import { makeSamples } from './testing/samples.ts';

// Runs what a reader types, and compares what the pages show. `--update-snapshots=all` writes that again: read the diff.

/** Pages of which every run of the tests tries all blocks; the others take longer. */
const first = ['README.md', 'SKILL.md', 'CONTRIBUTING.md', ...globSync('packages/*/README.md')];
const pages = [
  ...first,
  'SECURITY.md',
  'llms.txt',
  ...globSync('{docs/*,tests/README,load/README,monitors/README,reports/README,tools/*/README}.md'),
];
const blocks = pages.flatMap(listShellBlocks);
let setting: PageSetting;

test.beforeAll(async () => {
  setting = await openPageSetting();
});

test.afterAll(() => setting.close());

for (const page of new Set(blocks.filter(isTried).map((block) => block.page))) {
  const tag = first.includes(page) ? [] : ['@endurance'];
  test(`what ${page} says to type works, and prints what it shows`, { tag }, async () => {
    let text = readFileSync(page, 'utf8');
    const at = setting.of(page);
    for (const block of blocks.filter((each) => isTried(each) && each.page === page)) {
      const printed = await tryBlock(block, at);
      if (printed !== block.text) text = text.replace(block.text, () => printed);
    }
    if (text !== readFileSync(page, 'utf8')) writeFileSync(page, text);
  });
}

function isUpdating(): boolean {
  return test.info().config.updateSnapshots === 'all';
}

function isTried({ leftOut }: PageBlock): boolean {
  return leftOut === undefined;
}

/** Runs a block; returns its text, with what its commands print now if the pages are to be written again. */
async function tryBlock(block: PageBlock, at: ShellSetting): Promise<string> {
  const { page, line, language, text, exit } = block;
  const place = `${page}:${line}`;
  if (language !== 'console') {
    const { code, printed } = await run(text, at);
    expect.soft(code, `${place}: ${printed}`).toBe(exit);
    return text;
  }
  const calls: string[] = [];
  for (const { command, output } of listShownCalls(text)) {
    const { printed } = await run(command, at);
    const isKept = isShown(output, printed) || !isUpdating();
    if (isKept && !isShown(output, printed)) expect.soft(output, place).toBe(printed);
    calls.push(`$ ${command}\n${isKept ? output : printed}`);
  }
  return calls.join('');
}

/** Runs lines as they stand; an imitated exchange is called by its own name in what is printed. */
async function run(lines: string, at: ShellSetting): Promise<BlockEnd> {
  const { code, printed } = await runLines(lines, at);
  const named = /--spec kraken/.test(lines)
    ? printed.replaceAll(/\b127\.0\.0\.1\b/g, 'api.kraken.com')
    : printed;
  return { code, printed: named };
}

test('every block that a reader might type names its language, and each that no test runs says why', () => {
  expect(blocks.filter(({ language }) => language === '').map(({ page, line }) => `${page}:${line}`)).toEqual(
    [],
  );
  const leftOut = blocks.flatMap(({ page, leftOut: reason, text }) =>
    reason === undefined ? [] : [`${page}: ${text.split('\n')[0]}\n  ${reason}`],
  );
  expect(`${leftOut.join('\n')}\n`).toMatchSnapshot('blocks-left-out.txt');
});

test('no shell line of a page or of a help has an address with ? or & outside quotes', () => {
  const shown = pages.flatMap((page) =>
    readFileSync(page, 'utf8')
      .split('\n')
      .filter((line) => /^(\$ |npx |curl )|`(npx (--no-install )?)?candleproof /.test(line))
      .map((line) => `${page}: ${line}`),
  );
  const lines = [...shown, ...Object.values(closings).flatMap(listCalls)];
  expect(lines.length).toBeGreaterThan(100);
  const outside = lines.filter((line) =>
    /https?:[^\s`'"]*[?&]/.test(line.replaceAll(/'[^']*'|"[^"]*"/g, '')),
  );
  expect(outside).toEqual([]);
});

const folder = passingFolder();

/** Compares files with what they should be, or writes them if snapshots are updated. */
function expectFiles(texts: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(texts)) {
    if (isUpdating()) writeFileSync(file, text);
    const isCurrent = readFileSync(file, 'utf8') === text;
    expect(isCurrent, `${file} is out of date: write it by --update-snapshots=all`).toBe(true);
  }
}

test('llms.txt names every guide, command and schema; SKILL.md is short', async () => {
  const index = readFileSync('llms.txt', 'utf8');
  const { publishConfig } = JSON.parse(readFileSync('packages/candleproof/package.json', 'utf8'));
  const schemas = Object.keys(publishConfig.exports).filter((name) => name.startsWith('./schemas/'));
  const named = [
    ...globSync('docs/*.md').map((page) => `](${page})`),
    ...(await buildProgram([], () => undefined)).commands.map((command) => ` ${command.name()}`),
    ...schemas.map((name) => ` ${name.replace(/^.*\/|\.json$/g, '')}`),
  ];
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !index.includes(name))).toEqual([]);
  expect(readFileSync('SKILL.md', 'utf8').split('\n').length).toBeLessThanOrEqual(130);
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(121);
});

test('pages name the version and count rules and known faults as the program and its kill matrix do', () => {
  const matrix = readFileSync('docs/kill-matrix.md', 'utf8');
  const [, all] = /of (\d+) faults/.exec(matrix) ?? [];
  const [, shown] = /^- (\d+) in one check/m.exec(matrix) ?? [];
  const { version } = JSON.parse(readFileSync('packages/candleproof/package.json', 'utf8'));
  const venues = readdirSync('gallery').length;
  const lawLength = catalogue.rules.length + catalogue.questions.length;
  const figures: [page: string, pattern: RegExp, now: string][] = [
    ['README.md', /\d+ rules and questions/, `${lawLength} rules and questions`],
    ['README.md', /\d+ of \d+(?= \|\n\| Faults nobody)/, `${shown} of ${all}`],
    ['docs/gallery.md', /\d+ of the catalogue/, `${lawLength} of the catalogue`],
    ...['README.md', 'llms.txt'].map((page): [string, RegExp, string] => [
      page,
      /\d+ other APIs/,
      `${venues} other APIs`,
    ]),
    ['docs/check.md', /\d+ known faults/, `${all} known faults`],
    ...['README.md', 'SKILL.md', 'llms.txt', 'CONTRIBUTING.md', 'docs/library.md'].map(
      (page): [string, RegExp, string] => [page, /candleproof-[\d.]+\.tgz/, `candleproof-${version}.tgz`],
    ),
  ];
  for (const [page, pattern, now] of figures) {
    const text = readFileSync(page, 'utf8');
    if (isUpdating()) writeFileSync(page, text.replace(pattern, now));
    expect(pattern.exec(readFileSync(page, 'utf8'))?.[0], page).toBe(now);
  }
});

test('docs/sample is what its commands write', async () => {
  const samples = await makeSamples(join(folder, 'samples'));
  expectFiles(samples);
  expect(samples['docs/sample/check.html']).toContain('candle/average-is-within-range');
});

test('every command and flag of a page is one of the program', async () => {
  const commands = listCommands(await buildProgram([], () => undefined));
  const calls = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8').replaceAll('\\\n', ' ');
    return text.match(/(?<!\/)\b(npx (--no-install )?)?candleproof [a-z]+\b[^`\n]*/g) ?? [];
  });
  expect(calls.length).toBeGreaterThan(100);
  expect(calls.flatMap((call) => listUnknown(call).map((word) => `${word}: ${call}`))).toEqual([]);

  function listUnknown(call: string): string[] {
    const [own = ''] = call.replace('--no-install ', '').split(/ -- | [|&>#;]|[…)]/);
    const words = own.split(/\s+/).slice(own.startsWith('npx') ? 2 : 1);
    const command = commands.findLast(
      (candidate) =>
        candidate.parent &&
        commandWords(candidate)
          .split(' ')
          .every((word, at) => words[at] === word),
    );
    // In a sentence, the name of the project begins no command.
    if (words[0] === 'help') return [];
    if (!command) return call.startsWith('npx') ? [words[0] ?? ''] : [];
    const known = command.options.flatMap(({ long, short }) => [long, short]);
    const flags = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/[=.,:].*$/, ''));
    return flags.filter((flag) => !known.includes(flag) && flag !== '--help');
  }
});
