import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { MARKET } from '../tables.ts';
import { FullStore, openDatabase, runInTransaction, UnreadableDatabase } from './database.ts';

test('a store with another layout is refused with its name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  const path = join(folder, 'service.db');
  const other = new DatabaseSync(path);
  other.exec('PRAGMA user_version = 99');
  other.close();
  expect(() => openDatabase(path, MARKET)).toThrow(UnreadableDatabase);
  expect(() => openDatabase(path, MARKET)).toThrow(/service\.db has layout 99.*empty data folder/);
  rmSync(folder, { recursive: true });
});

test('an empty file is an error, not an empty store', () => {
  const path = test.info().outputPath('service.db');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  expect(() => openDatabase(path, MARKET)).toThrow(UnreadableDatabase);
  expect(() => openDatabase(path, MARKET)).toThrow(/service\.db is empty, so what it held is lost/);
  expect(statSync(path).size).toBe(0);
});

test('a file that is not a store is refused with its name', () => {
  const path = test.info().outputPath('service.db');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'not a database, whatever its name says'.repeat(100));
  expect(() => openDatabase(path, MARKET)).toThrow(/service\.db is damaged or no store of ours/);
});

test('a full disk is reported and the store continues when there is room', () => {
  const path = test.info().outputPath('service.db');
  mkdirSync(dirname(path), { recursive: true });
  const database = openDatabase(path, MARKET);
  const write = (): unknown =>
    runInTransaction(database, () =>
      database.prepare("INSERT INTO facts VALUES ('a', ?)").run('x'.repeat(20_000)),
    );
  database.exec('PRAGMA max_page_count = 1');
  expect(write).toThrow(FullStore);
  expect(write).toThrow(/service\.db: its disk is full/);
  database.exec('PRAGMA max_page_count = 1000000');
  write();
  expect(database.prepare('SELECT name FROM facts').all()).toEqual([{ name: 'a' }]);
  database.close();
});

test('a failed transaction leaves nothing behind', () => {
  const database = openDatabase(':memory:', MARKET);
  const write = (): unknown => database.prepare("INSERT INTO facts VALUES ('a', '1')").run();
  expect(() =>
    runInTransaction(database, () => {
      write();
      throw new Error('half way');
    }),
  ).toThrow('half way');
  expect(database.prepare('SELECT * FROM facts').all()).toEqual([]);
});
