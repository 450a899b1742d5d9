import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from '@playwright/test';
import { classifyDatabaseError, emptyFile, openDatabaseFile } from './database-file.ts';

function place(): string {
  const path = test.info().outputPath('a.db');
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

test('a file that another process is just making is waited for', () => {
  const path = place();
  expect(emptyFile(path)).toBeUndefined();
  writeFileSync(path, '');
  const maker = `setTimeout(() => require('node:fs').writeFileSync(${JSON.stringify(path)}, 'page'), 100)`;
  const child = spawn(process.execPath, ['-e', maker]);
  expect(emptyFile(path, 10_000)).toBeUndefined();
  child.kill();
});

test('a database that could not be made leaves no empty file, and an older one is left', () => {
  const path = place();
  const full = (): never => {
    writeFileSync(path, '');
    throw new Error('database or disk is full');
  };
  expect(() => openDatabaseFile(path, full)).toThrow('full');
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, 'page');
  expect(() => openDatabaseFile(path, full)).toThrow('full');
  expect(statSync(path).size).toBe(0);
});

test('trouble with the file is distinguished from trouble with a statement', () => {
  const codes = [13, 778, 8 + 256, 26, 1, 5];
  expect(codes.map((errcode) => classifyDatabaseError({ errcode }))).toEqual([
    ...['full', 'full', 'closed', 'damaged', undefined, undefined],
  ]);
});
