import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { SqliteStore } from './sqlite-store.ts';
import { FLUSH_WINDOW_MS } from './usage-counter.ts';

let folder = '';
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'usage-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3 * FLUSH_WINDOW_MS));

test('counts are on disk within the window and seen by other processes', async () => {
  const [one, other] = [new SqliteStore(folder), new SqliteStore(folder)];
  for (let i = 0; i < 200; i++) (i % 3 ? one : other).usage.count(1, '2026-11', 1);
  await soon();
  expect([one, other].map(({ usage }) => usage.used(1, '2026-11'))).toEqual([200, 200]);
  for (const counter of [one, other]) counter.close();
});

test('a locked database delays no answer and loses no count', async () => {
  const heard: unknown[] = [];
  const store = new SqliteStore(folder, (error) => heard.push(error));
  const locker = new DatabaseSync(join(folder, 'keys.db'));
  locker.exec('BEGIN IMMEDIATE');
  const waits: number[] = [];
  for (let i = 0; i < 5; i++) {
    const began = performance.now();
    store.usage.count(1, '2026-11', 1);
    waits.push(performance.now() - began);
    await soon();
  }
  locker.exec('COMMIT');
  await soon();
  expect(heard.length).toBeGreaterThan(0);
  // A lock would delay each of them, a busy machine one or two.
  expect(waits.filter((ms) => ms > FLUSH_WINDOW_MS).length).toBeLessThan(3);
  expect(locker.prepare('SELECT used FROM usage').get()).toEqual({ used: 5 });
  locker.close();
  store.close();
});
