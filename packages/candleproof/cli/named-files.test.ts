import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { called } from '@candleproof/command/called';
import { expect, test } from '@playwright/test';
import type { Command } from 'commander';
import fc from 'fast-check';
import { buildProgram } from './main.ts';
import { FileOption } from './running/file-option.ts';
import { readyFileOption } from './serving/announcement.ts';
import { type FileWriter, fileWriters, readFlags } from './testing/file-writers.ts';

/** Things at a destination: one is written, one takes --force, and one is refused always. */
const kinds = {
  missing: 'written',
  'another file': 'forced',
  'a link to another file': 'forced',
  'the input': 'refused',
  'a hard link to the input': 'refused',
  'a link to the input': 'refused',
  'a pipe': 'refused',
  'a folder': 'refused',
  'a device': 'refused',
  'a link to a device': 'refused',
  'a link to nothing': 'refused',
} as const;
type Kind = keyof typeof kinds;

/** Puts something of a kind into a folder; returns its path. */
function place(kind: Kind, folder: string, input: string): string {
  const path = join(folder, 'destination');
  const linkTo = (other: string): void => symlinkSync(other, path);
  const other = join(folder, 'other');
  const make: Record<Kind, () => void> = {
    missing: () => undefined,
    'another file': () => writeFileSync(path, 'theirs'),
    'a link to another file': () => {
      writeFileSync(other, 'theirs');
      linkTo(other);
    },
    'the input': () => undefined,
    'a hard link to the input': () => linkSync(input, path),
    'a link to the input': () => linkTo(input),
    'a pipe': () => void execFileSync('mkfifo', [path]),
    'a folder': () => mkdirSync(path),
    'a device': () => makeDevice(path),
    'a link to a device': () => linkTo('/dev/null'),
    'a link to nothing': () => linkTo(join(folder, 'nothing')),
  };
  make[kind]();
  return kind === 'the input' ? input : path;
}

/** Makes a null device, which root alone may; for others the machine's is as safe. */
function makeDevice(path: string): void {
  if (process.getuid?.() === 0) execFileSync('mknod', [path, 'c', '1', '3']);
  else symlinkSync('/dev/null', path);
}

/** Describes what lies at a path: the same text before and after says that nothing changed. */
function describePath(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 'nothing';
  return found.isFile() ? `a file: ${readFileSync(path, 'latin1')}` : `${found.mode} ${found.rdev}`;
}

type Trial = { readonly writer: FileWriter; readonly kind: Kind; readonly force: boolean };

/** Runs a command with its destination, and returns how it ended and what changed that must not. */
async function run({
  writer,
  kind,
  force,
}: Trial): Promise<{ code: number | null; lines: string[]; changed: string[] }> {
  const folder = mkdtempSync(join(test.info().outputPath(), 'at-'));
  const { args, input } = await writer.prepare(folder);
  const file = place(kind, folder, input ?? join(folder, 'input'));
  const isKept = isRefused({ writer, kind, force });
  const watched = [...(input === undefined ? [] : [input]), ...(isKept ? [file] : []), '/dev/null'];
  const before = watched.map(describePath);
  const { code, stderr } = await called([
    ...args(file),
    ...(force && !writer.isReadFirst ? ['--force'] : []),
  ]);
  const changed = watched.filter((path, at) => describePath(path) !== before[at]);
  const lines = stderr.trim().split('\n');
  rmSync(folder, { recursive: true });
  return { code, lines, changed };
}

function isRefused({ writer, kind, force }: Trial): boolean {
  const isForced = force && !writer.isReadFirst;
  return kinds[kind] === 'refused' || (kinds[kind] === 'forced' && !isForced);
}

test.beforeEach(() => mkdirSync(test.info().outputPath(), { recursive: true }));

for (const [name, writer] of Object.entries(fileWriters))
  test(`${name} is written over nothing that is no file of its own`, async () => {
    const flag = new RegExp(
      `${name.split(' ').at(-1)}: .*/(destination|input|results\\.db|api-key|ca\\.pem) is `,
    );
    for (const kind of Object.keys(kinds) as Kind[]) {
      if (kinds[kind] === 'written' || (!writer.hasInput && kind.includes('input'))) continue;
      const { code, lines, changed } = await run({ writer, kind, force: false });
      expect.soft({ kind, code, lines, changed }).toEqual({
        ...{ kind, code: 2, changed: [] },
        lines: [expect.stringMatching(writer.isReadFirst ? /destination|input|answers/ : flag)],
      });
    }
  });

const anyKind = fc.constantFrom(...(Object.keys(kinds) as Kind[]));

test('nothing at a destination costs an input, a device or a pipe, with --force and without', async () => {
  const cheap = Object.values(fileWriters).filter(({ isCheap }) => isCheap);
  const trial = fc.record({ writer: fc.constantFrom(...cheap), kind: anyKind, force: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(trial, async (drawn) => {
      fc.pre(drawn.writer.hasInput || !drawn.kind.includes('input'));
      const { code, lines, changed } = await run(drawn);
      expect(changed).toEqual([]);
      if (isRefused(drawn)) expect({ code, lines: lines.length }).toEqual({ code: 2, lines: 1 });
      else expect(code).not.toBe(2);
    }),
  );
});

type Line = {
  readonly clean: Kind | '-';
  readonly repair: Kind | '-' | 'that of --clean';
  readonly force: boolean;
  readonly json: boolean;
  readonly order: readonly number[];
};

/** Returns whether a line of gate must not run. */
function isLineRefused({ clean, repair, force, json }: Line): boolean {
  const both = [clean, repair];
  if (repair === 'that of --clean' || (json && both.includes('-'))) return true;
  if (clean === '-' && repair === '-') return true;
  return both.some(
    (kind) =>
      kind in kinds && (kinds[kind as Kind] === 'refused' || (kinds[kind as Kind] === 'forced' && !force)),
  );
}

test('no order of flags, and no two of them, cost what the line reads', async () => {
  const line: fc.Arbitrary<Line> = fc.record({
    clean: fc.oneof({ weight: 4, arbitrary: anyKind }, fc.constant('-' as const)),
    repair: fc.oneof(
      { weight: 4, arbitrary: anyKind },
      fc.constantFrom('-' as const, 'that of --clean' as const),
    ),
    ...{ force: fc.boolean(), json: fc.boolean() },
    order: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(line, async (drawn) => {
      const folder = mkdtempSync(join(test.info().outputPath(), 'at-'));
      const { input = '' } = (await fileWriters['gate --clean']?.prepare(folder)) ?? {};
      const put = (kind: string, name: string): string => {
        mkdirSync(join(folder, name));
        return kind in kinds ? place(kind as Kind, join(folder, name), input) : kind;
      };
      const clean = put(drawn.clean, 'clean');
      const repair = drawn.repair === 'that of --clean' ? clean : put(drawn.repair, 'repair');
      const isKept = isLineRefused(drawn);
      const watched = [input, ...(isKept ? [clean, repair] : []), '/dev/null'];
      const before = watched.map(describePath);
      const words = [
        [input],
        ['--clean', clean],
        ['--repair', repair],
        ...(drawn.force ? [['--force']] : [[]]),
      ];
      const args = drawn.order.flatMap((at) => [...words, drawn.json ? ['--json'] : []][at] ?? []);
      const { code, stderr } = await called(['gate', ...args]);
      expect(watched.map(describePath)).toEqual(before);
      expect({ isKept, code }).toEqual({ isKept, code: isKept ? 2 : 0 });
      if (isKept) expect(stderr.trim().split('\n')).toHaveLength(1);
    }),
  );
});

test('what goes to standard output is alone there', async () => {
  const folder = test.info().outputPath();
  const { input = '' } = (await fileWriters['gate --clean']?.prepare(folder)) ?? {};
  const clean = await called(['gate', input, '--clean', '-']);
  expect(clean.stdout).toMatch(/^line,[^\n]*\n2,/);
  expect(clean.stderr).toContain('Sound');
  const repair = await called(['gate', input, '--repair', '-']);
  expect(JSON.parse(repair.stdout)).toHaveProperty('files');
  const { input: saved = '', args } = (await fileWriters['look --write']?.prepare(folder)) ?? {};
  const looked = await called(args?.('-') ?? []);
  expect([saved.length > 0, looked.stdout.startsWith('openapi:')]).toEqual([true, true]);
  expect((await called(['rules', '--markdown', '-'])).stdout).toBe(readFileSync('docs/rules.md', 'utf8'));
});

test('the file that standard output goes into is not replaced by what is printed there', async () => {
  const folder = test.info().outputPath();
  const { input = '' } = (await fileWriters['gate --clean']?.prepare(folder)) ?? {};
  const printed = join(folder, 'printed');
  const descriptor = openSync(printed, 'w');
  const args = ['packages/candleproof/cli/candleproof.js', 'gate', input, '--force', '--clean', printed];
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', descriptor, 'pipe'] });
  closeSync(descriptor);
  expect([status, String(stderr)]).toEqual([2, expect.stringContaining('--clean: ')]);
  expect(readFileSync(printed, 'utf8')).toBe('');
});

test('a ready file is replaced if its process has ended, and no other', async () => {
  const { isLeftBehind } = readyFileOption('url').writing;
  const ended = spawnSync(process.execPath, ['--version']).pid;
  const write = (pid: unknown): string => JSON.stringify({ url: 'https://127.0.0.1:1', pid });
  const texts = [
    write(ended),
    write(process.pid),
    write(1),
    write('1'),
    JSON.stringify({ pid: ended }),
    'text',
  ];
  expect(texts.map((text) => isLeftBehind?.(text))).toEqual([true, true, false, false, false, false]);
});

/** Lists all commands, with the names of those above them. */
function listCommands(command: Command, names: readonly string[] = []): [name: string, command: Command][] {
  return command.commands.flatMap((below) => {
    const path = [...names, below.name()];
    return [[path.join(' '), below] as [string, Command], ...listCommands(below, path)];
  });
}

test('every flag that takes a file is known as one that is read or one that is written', async () => {
  const commands = listCommands(await buildProgram([], () => undefined));
  const flags = commands.flatMap(([name, command]) =>
    command.options
      .filter(
        (option) =>
          option instanceof FileOption || /[<[](file|files\.\.\.|place|path)[\]>]/.test(option.flags),
      )
      .map((option) => ({ name: `${name} ${option.long}`, option, command })),
  );
  const written = flags.filter(({ option }) => option instanceof FileOption);
  const known = new Set(Object.values(fileWriters).flatMap(({ flags: all }) => all));
  expect(written.map(({ name }) => name).toSorted()).toEqual([...known].toSorted());
  for (const { name, option, command } of written)
    if (option instanceof FileOption && !option.writing.isReadFirst)
      expect(
        command.options.map(({ long }) => long),
        name,
      ).toContain('--force');
  const others = flags.filter(
    ({ name, option }) => !known.has(name) && !readFlags.includes(String(option.long)),
  );
  expect(others.map(({ name }) => name)).toEqual([]);
});
