import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from '@playwright/test';
import { readDatabase } from './read-database.ts';

const open = 'postgres://homer:wine-dark-sea@db.example:5432/candles';

test('a URL with a password is refused as a flag, in words that do not repeat it', () => {
  expect(() => readDatabase(open, {})).toThrow(/^--database: a password is never a flag.*--database FILE/);
  expect(() => readDatabase(open, {})).not.toThrow(/wine/);
  expect(readDatabase(open.replace(':wine-dark-sea', ''), {})?.place).toBe('db.example:5432/candles');
});

test('a file and the environment may hold a URL with its password', () => {
  const file = test.info().outputPath('database-url');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${open}\n`);
  const fromEnvironment = { CANDLEPROOF_DATABASE_URL: open };
  expect(readDatabase(file, {})?.secretUrl).toBe(open);
  expect(readDatabase(undefined, fromEnvironment)?.secretUrl).toBe(open);
  expect(readDatabase(undefined, {})).toBeUndefined();
});

test('what is no URL is refused where it stands', () => {
  expect(() => readDatabase('nowhere.txt', {})).toThrow(/^--database: nowhere\.txt: there is no such file/);
  expect(() => readDatabase(undefined, { CANDLEPROOF_DATABASE_URL: 'mysql://a:secret@b/c' })).toThrow(
    'CANDLEPROOF_DATABASE_URL: no URL such as postgres://user@host:5432/database; give one',
  );
});
