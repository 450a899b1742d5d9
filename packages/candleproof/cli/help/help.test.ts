import { globSync, readFileSync } from 'node:fs';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import type { Command } from 'commander';
import { buildProgram } from '../main.ts';
import { closings } from './closing.ts';
import { commandWords, flagGroups, listCalls, listCommands, unused } from './help.ts';

const program = await buildProgram([], () => undefined);
const commands = listCommands(program);

function helpOf(command: Command, width: number): string {
  const helper = Object.assign(command.createHelp(), { helpWidth: width });
  return helper.formatHelp(command, helper);
}

test('every help ends in examples and exit codes, and stays within 60 columns', () => {
  expect(Object.keys(closings).sort()).toEqual(commands.map(commandWords).sort());
  for (const command of commands) {
    const text = helpOf(command, 60);
    expect(text, commandWords(command)).toMatch(/\n\nExamples:\n(.+\n)+\nExit codes:\n {2}0 (.+\n)+$/);
    const wide = text.split('\n').filter((line) => [...line].length > 60);
    expect(wide, commandWords(command)).toEqual([]);
  }
});

test('an example uses flags of its command alone, on one line', () => {
  const examples = Object.entries(closings).flatMap(([words, closing]) =>
    listCalls(closing).map((example) => ({ words, example })),
  );
  for (const { words: owner, example } of examples) {
    // A bare -- begins another program's command.
    const words = (example.split(' -- ')[0] ?? '').split(' ');
    const command = commands.findLast((candidate) => {
      const candidateWords = commandWords(candidate).split(' ');
      return candidateWords[0] === '' || candidateWords.every((word, at) => words[at] === word);
    });
    const known = command?.options.map(({ long }) => long) ?? [];
    expect(known, example).toEqual(expect.arrayContaining(words.filter((word) => word.startsWith('--'))));
    const shown = commands
      .filter((candidate) => commandWords(candidate) === owner)
      .map((candidate) => helpOf(candidate, 60));
    expect(shown).toEqual([expect.stringContaining(`  npx candleproof ${example}\n`)]);
  }
});

test('a flag that has a heading or is hidden is one of a command', () => {
  const flags = commands.flatMap((command) =>
    command.options.flatMap(({ long }) => [long ?? '', `${commandWords(command)} ${long}`]),
  );
  expect(flags).toEqual(expect.arrayContaining(Object.keys(flagGroups)));
  const hidden = Object.entries(unused).flatMap(([command, options]) =>
    options.map((option) => `${command} ${option}`),
  );
  expect(flags).toEqual(expect.arrayContaining(hidden));
});

test('every flag is named in a document, and none stays that nobody is shown', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md')].map((page) =>
    readFileSync(page, 'utf8'),
  );
  const shown = new Set(pages.join('\n').match(/--[a-z][\w-]*/g));
  const flags = commands.flatMap(({ options }) => options.map(({ long }) => long ?? ''));
  expect(flags.filter((flag) => flag !== '--version' && !shown.has(flag))).toEqual([]);
});

test('a flag without any effect is not offered, and one without any meaning is refused', async () => {
  expect((await candleproof(['plan', '--help'])).stdout).not.toMatch(/--(strict|timeout|baseline)/);
  const init = await candleproof(['init', 'https://host', '--base-url', 'https://other']);
  expect([init.code, init.stderr]).toEqual([2, expect.stringContaining("unknown option '--base-url'")]);
});

test('a former command runs and names its place of today', async () => {
  const data = ['--data', test.info().outputPath('none')];
  const now = await candleproof(['serve', 'keys', 'list', ...data]);
  expect(now).toMatchObject({ code: 2, stderr: expect.stringContaining(`${data[1]} holds no store`) });
  const { code, stderr } = await candleproof(['keys', 'list', ...data]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `candleproof: keys is now serve keys\n${now.stderr}`,
  });
  const moved = { ingest: 'serve', faults: 'serve', alerts: 'monitor', results: 'monitor' };
  for (const [name, owner] of Object.entries(moved)) {
    const help = await candleproof([name, '--help']);
    expect(help).toMatchObject({ code: 0, stderr: `candleproof: ${name} is now ${owner} ${name}\n` });
    expect(help.stdout).toContain(`Usage: candleproof ${owner} ${name} `);
  }
});

test('there are at most twenty commands', () => {
  expect(program.commands.length).toBeLessThanOrEqual(20);
});

test('help of check names ten flags, and all of them if that is wanted', async () => {
  const flags = (text: string): number => text.match(/^ {2}--/gm)?.length ?? 0;
  const { stdout: brief } = await candleproof(['check', '--help']);
  const { stdout: all } = await candleproof(['check', '--help', 'all']);
  const { length } = commands.find((command) => command.name() === 'check')?.options ?? [];
  expect([flags(brief), flags(all)]).toEqual([10, length]);
  expect(brief).toContain(`\n${length - 10} more flags: npx candleproof check --help all\n`);
  expect((await candleproof(['help', 'check'])).stdout).toBe(brief);
});
