import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from '@playwright/test';
import {
  identifyFile,
  openNamedFile,
  requireWritable,
  writeNamedFile,
  writeNamedParts,
} from './named-file.ts';
import { UsageError } from './usage-error.ts';

function at(name: string, text?: string): string {
  const file = test.info().outputPath(name);
  mkdirSync(test.info().outputPath(), { recursive: true });
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

test('a file in parts appears whole or not at all', async () => {
  const file = at('list', 'old');
  async function* broken() {
    yield 'a'.repeat(1 << 17);
    throw new Error('no more');
  }
  const named = { flag: '--out', file, mayReplace: true };
  await expect(writeNamedParts(named, broken())).rejects.toThrow('no more');
  expect([readdirSync(test.info().outputDir), readFileSync(file, 'utf8')]).toEqual([['list'], 'old']);
  await writeNamedParts(named, Readable.from(['a', 'b']));
  expect(readFileSync(file, 'utf8')).toBe('ab');
});

test('a link stays a link to the file that is replaced', () => {
  const [file, link] = [at('file', 'old'), at('link')];
  symlinkSync('file', link);
  writeNamedFile({ flag: '--out', file: link, mayReplace: true }, 'new');
  expect([readFileSync(file, 'utf8'), readlinkSync(link)]).toEqual(['new', 'file']);
});

test('a file that appears while the work is done is not replaced', () => {
  const file = at('late');
  const opened = openNamedFile({ flag: '--out', file });
  opened.write('ours');
  writeFileSync(file, 'theirs');
  expect(() => opened.keep()).toThrow('is there already');
  opened.drop();
  expect([readdirSync(test.info().outputDir), readFileSync(file, 'utf8')]).toEqual([['late'], 'theirs']);
});

test('an input is not replaced although its name is another one and replacing is allowed', () => {
  const [input, link] = [at('input', 'rows'), at('other')];
  symlinkSync(input, link);
  const inputs = new Set([String(identifyFile(input))]);
  const named = { flag: '--clean', file: link, inputs, mayReplace: true };
  expect(() => writeNamedFile(named, '')).toThrow(`--clean: ${link} is read by this command`);
  expect(readFileSync(input, 'utf8')).toBe('rows');
});

test('what a process that has ended left behind is replaced, and nothing else', () => {
  const file = at('ready', 'dead');
  const named = { flag: '--ready-file', file, isLeftBehind: (text: string) => text === 'dead' };
  writeNamedFile(named, 'alive');
  expect(() => writeNamedFile(named, 'dead')).toThrow(UsageError);
  expect(readFileSync(file, 'utf8')).toBe('alive');
});

test('a folder that is missing is made, and one that cannot be is refused before the work', () => {
  const file = join(at('none'), 'below', 'file');
  requireWritable({ flag: '--out', file });
  expect(() => statSync(at('none'))).toThrow();
  writeNamedFile({ flag: '--out', file, mode: 0o600 }, 'text');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const inTheWay = join(at('file', ''), 'below');
  expect(() => requireWritable({ flag: '--out', file: inTheWay })).toThrow(
    `--out: ${inTheWay} cannot be written: a file is in the way (ENOTDIR)`,
  );
});
