import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { unwritableError } from './usage-error.ts';
import { makeFolder, ownerOnly, writeFiles } from './write-files.ts';

test('files are put beside those of others and replace their own', () => {
  const folder = test.info().outputPath('out');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  writeFiles(folder, { 'run.json': 'old' });
  writeFiles(folder, { 'run.json': 'new', 'index.html': 'page' });
  expect(readdirSync(folder).toSorted()).toEqual(['index.html', 'notes.txt', 'run.json']);
  expect(readFileSync(join(folder, 'run.json'), 'utf8')).toBe('new');
});

test('a folder that cannot be written keeps its old files and no half ones', () => {
  const folder = test.info().outputPath('out');
  writeFiles(folder, { 'run.json': 'old' });
  mkdirSync(join(folder, 'index.html'));
  expect(() => writeFiles(folder, { 'index.html': 'page' })).toThrow();
  expect(readdirSync(folder).toSorted()).toEqual(['index.html', 'run.json']);
  expect(readFileSync(join(folder, 'run.json'), 'utf8')).toBe('old');
});

test('a link that waits under a temporary name is not followed', () => {
  const folder = test.info().outputPath('out');
  mkdirSync(folder, { recursive: true });
  const victim = test.info().outputPath('victim');
  writeFileSync(victim, 'theirs');
  symlinkSync(victim, join(folder, `.run.json.${process.pid}.tmp`));
  symlinkSync(victim, join(folder, 'run.json'));
  writeFiles(folder, { 'run.json': 'ours' });
  expect(readFileSync(victim, 'utf8')).toBe('theirs');
  expect(readFileSync(join(folder, 'run.json'), 'utf8')).toBe('ours');
});

test('what is for its owner alone is so where a wider file stood before', () => {
  const folder = test.info().outputPath('out');
  writeFiles(folder, { key: 'old' });
  chmodSync(join(folder, 'key'), 0o666);
  writeFiles(folder, { key: 'new' }, ownerOnly);
  expect(statSync(join(folder, 'key')).mode & 0o777).toBe(0o600);
});

test('what cannot be written is named with the reason and the remedy', () => {
  const folder = test.info().outputPath('out');
  writeFiles(folder, { file: '' });
  expect(() => writeFiles(join(folder, 'file'), { 'run.json': '' })).toThrow(
    `${join(folder, 'file')} cannot be written: a file is in the way (ENOTDIR); give a path that can be written`,
  );
  expect(unwritableError('out/run.json', { code: 'ENOSPC' }).message).toBe(
    'out/run.json cannot be written: its disk is full (ENOSPC); make room on it, or give another place',
  );
  expect(unwritableError('out/run.json', { code: 'EEXIST' }).message).toBe(
    'out/run.json cannot be written: something of this name is there already (EEXIST); give another name',
  );
  expect(unwritableError('out/run.json', { code: 'EACCES' }).message).toBe(
    'out/run.json cannot be written (EACCES); give a path that can be written',
  );
});

test('processes that make the same folder at the same moment all have it', async () => {
  const under = test.info().outputPath('under');
  mkdirSync(under);
  const script = `
    import { makeFolder } from ${JSON.stringify(join(import.meta.dirname, 'write-files.ts'))};
    for (let n = 0; n < 300; n++) {
      while (Date.now() % 3 !== 0);
      makeFolder(${JSON.stringify(under)} + '/' + Math.floor(n / 10) + '/' + n);
    }`;
  const ends = [1, 2, 3].map(async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    return (await once(child, 'close'))[0];
  });
  expect(await Promise.all(ends)).toEqual([0, 0, 0]);
  expect(statSync(join(under, '29', '299')).isDirectory()).toBe(true);
});

test('a file in the way of a folder is refused', () => {
  const file = test.info().outputPath('file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow('is no folder');
  expect(() => makeFolder(join(file, 'below'))).toThrow('is no folder');
});
