import { globSync, readFileSync } from 'node:fs';
import { called } from '@candleproof/command/called';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import type { Command } from 'commander';
import { buildProgram } from '../main.ts';
import { closings } from './closing.ts';
import { commandWords, listCalls, listCommands } from './help.ts';

const program = await buildProgram(['--help', 'all'], () => undefined);
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

test('an example uses flags of its command and the one above it alone, on one line', () => {
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
    const known = [command, command?.parent].flatMap((each) => each?.options.map(({ long }) => long) ?? []);
    expect(known, example).toEqual(expect.arrayContaining(words.filter((word) => word.startsWith('--'))));
    const shown = commands
      .filter((candidate) => commandWords(candidate) === owner)
      .map((candidate) => helpOf(candidate, 60));
    expect(shown).toEqual([expect.stringContaining(`  npx candleproof ${example}\n`)]);
  }
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
  expect(now).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${data[1]} is no data folder of serve`),
  });
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

test('help of a command names at most fifteen flags, and all of them if that is wanted', async () => {
  const flags = (text: string): number => text.match(/^ {2}(-h, )?--/gm)?.length ?? 0;
  for (const command of commands.filter(({ options }) => options.length > 15)) {
    const words = commandWords(command).split(' ');
    const { stdout: brief } = await called([...words, '--help']);
    const { stdout: all } = await called(['help', ...words, 'all']);
    const offered = command.options.filter(({ hidden }) => !hidden).length;
    expect(flags(brief), commandWords(command)).toBeLessThanOrEqual(16);
    expect(flags(all), commandWords(command)).toBe(offered + 1);
    const others = `\n${offered + 1 - flags(brief)} more flags: npx candleproof ${words.join(' ')} --help all\n`;
    expect(brief).toContain(others);
  }
});

test('a command with many flags has each under a heading that says what it is for', () => {
  const without = commands
    .filter(({ options }) => options.length > 10)
    .flatMap((command) =>
      command.options
        .filter(({ helpGroupHeading }) => helpGroupHeading === undefined)
        .map(({ long }) => `${commandWords(command)} ${long}`),
    );
  expect(without).toEqual([]);
});

test('without a word the command names five others, and help all names them all', async () => {
  const { code, stdout, stderr } = await called([]);
  expect([code, stderr]).toEqual([2, '']);
  const named = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  expect(named.slice(0, 5)).toEqual(['check', 'look', 'gate', 'monitor', 'serve']);
  expect(stdout).toContain(`\n${program.commands.length - 5} more commands: npx candleproof help all\n`);
  expect(await called(['--help'])).toEqual({ code: 0, stdout, stderr });
  const { stdout: all } = await called(['help', 'all']);
  for (const command of program.commands) expect(all).toMatch(new RegExp(`^  ${command.name()}\\b`, 'm'));
});
