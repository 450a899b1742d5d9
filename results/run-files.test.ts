import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { writeFiles } from './run-files.ts';

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
