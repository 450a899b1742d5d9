import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { worlds } from '@candleproof/doubles/double';
import { kraken } from '@candleproof/doubles/kraken.double';
import { openVenue } from '@candleproof/doubles/open-venue';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import type { Ended } from '@candleproof/testing/environment';
import { expect, test } from '@playwright/test';
import { commandWords, listCommands } from './help/help.ts';
import { buildProgram } from './main.ts';
import { writeGuides } from './testing/guides.ts';
import { makeSamples } from './testing/samples.ts';

// The pages show what commands print. `--update-snapshots=all` writes that again: read the diff.

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'SKILL.md',
  'llms.txt',
  ...globSync('docs/*.md'),
];
const folder = passingFolder();
const [world = { seed: 1, opensAt: '', age: 0 }] = worlds;

/** Flags that keep a command of a page away from the folders of this clone. */
const kept: Readonly<Record<string, readonly string[]>> = {
  check: ['--seed', '1', '--out', folder],
  monitor: ['--data', join(folder, 'watched')],
  report: ['--data', join(folder, 'watched'), '--out', folder],
};

/** Runs a command of a page; one that names a public exchange is sent to its imitation. */
async function run(line: string): Promise<Ended> {
  const given = line.split(' ').slice(2);
  const words = [...given, ...(kept[given[0] ?? ''] ?? [])];
  const state = { CANDLEPROOF_STATE_DIR: join(folder, 'state') };
  if (!words.includes('kraken')) return candleproof(words, state);
  const double = await openVenue(kraken, world);
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, double.ca);
  const ended = await candleproof([...words, '--base-url', double.url, '--ca-file', ca], state);
  double.close();
  const named = ended.stdout.replaceAll(double.url, 'https://api.kraken.com');
  return { ...ended, stdout: named.replaceAll(/\b127\.0\.0\.1\b/g, 'api.kraken.com') };
}

/** Returns what a page shows for a line: the output of the command, or only its first lines. */
async function show(line: string): Promise<string> {
  const [, command = '', lines] = /^(npx candleproof .*?)(?: \| head -(\d+))?$/.exec(line) ?? [];
  const { stdout, stderr } = await run(command);
  const text = `${stderr}${stdout}`.replaceAll(folder, 'reports/out').trimEnd();
  return text
    .split('\n')
    .slice(0, Number(lines ?? Number.POSITIVE_INFINITY))
    .join('\n');
}

/** Leaves out what differs from one run to the next: numbers, and that a busy machine is slow. */
function steady(text: string): string {
  return text.replaceAll(/: degraded, by latency\b/g, ': ok').replaceAll(/\d[\d,.]*(?=\D|$)/g, '0');
}

for (const page of pages) {
  const text = readFileSync(page, 'utf8');
  const blocks = [...text.matchAll(/^```console\n(.*?)^```$/gms)];
  if (blocks.length === 0) continue;
  test(`${page} shows what its commands print`, async () => {
    let written = text;
    for (const [, block = ''] of blocks) {
      const calls = block.split(/^\$ /m).slice(1);
      const now: string[] = [];
      for (const call of calls) {
        const [line = ''] = call.split('\n');
        now.push(`$ ${line}\n${await show(line)}\n`);
      }
      if (test.info().config.updateSnapshots !== 'all') expect(steady(block)).toBe(steady(now.join('')));
      else if (steady(block) !== steady(now.join(''))) written = written.replace(block, () => now.join(''));
    }
    if (written !== text) writeFileSync(page, written);
  });
}

/** Compares files with what they should be, or writes them if snapshots are updated. */
function expectFiles(texts: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(texts)) {
    if (test.info().config.updateSnapshots === 'all') writeFileSync(file, text);
    const isCurrent = readFileSync(file, 'utf8') === text;
    expect(isCurrent, `${file} is out of date: write it by --update-snapshots=all`).toBe(true);
  }
}

test('llms.txt and SKILL.md are what help and documents make of them', async () => {
  expectFiles(writeGuides(await buildProgram([], () => undefined)));
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
    return text.match(/(?<!\/)\b(npx )?candleproof [a-z]+\b[^`\n]*/g) ?? [];
  });
  expect(calls.length).toBeGreaterThan(100);
  expect(calls.flatMap((call) => listUnknown(call).map((word) => `${word}: ${call}`))).toEqual([]);

  function listUnknown(call: string): string[] {
    const [own = ''] = call.split(/ -- | [|&>#;]|[…)]/);
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
