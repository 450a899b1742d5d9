import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { inTransaction, openDatabase, UnreadableStore } from './database.ts';
import { MARKET } from './schema.ts';

test('a store of another layout is refused by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  const path = join(folder, 'service.db');
  const other = new DatabaseSync(path);
  other.exec('PRAGMA user_version = 99');
  other.close();
  expect(() => openDatabase(path, MARKET)).toThrow(UnreadableStore);
  expect(() => openDatabase(path, MARKET)).toThrow(/service\.db has layout 99.*empty data folder/);
  rmSync(folder, { recursive: true });
});

test('a failed transaction leaves nothing behind', () => {
  const database = openDatabase(':memory:', MARKET);
  const write = (): unknown => database.prepare("INSERT INTO facts VALUES ('a', '1')").run();
  expect(() =>
    inTransaction(database, () => {
      write();
      throw new Error('half way');
    }),
  ).toThrow('half way');
  expect(database.prepare('SELECT * FROM facts').all()).toEqual([]);
});
