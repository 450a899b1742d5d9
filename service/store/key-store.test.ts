import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Store } from './store.ts';

const SOFT = { monthlyLimit: 5, hardCap: false };

test('only the exact text of an issued key is known', () => {
  const { keys } = new Store(':memory:');
  const text = keys.issue(SOFT);
  expect(text).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(keys.known(text)).toMatchObject(SOFT);
  for (const near of [
    text.slice(0, -1),
    `${text}x`,
    text.toLowerCase(),
    text.toUpperCase(),
    '',
    ` ${text}`,
  ]) {
    expect(keys.known(near), near).toBeUndefined();
  }
});

test('two openings of one file count into the same month exactly', () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  const one = new Store(join(folder, 'a.db'));
  const other = new Store(join(folder, 'a.db'));
  const key = one.keys.known(one.keys.issue(SOFT))?.key ?? 0;
  const seen = Array.from({ length: 200 }, (_, i) => (i % 3 ? one : other).keys.count(key, '2026-11', 1));
  expect(seen).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
  expect(other.keys.count(key, '2026-12', 1)).toBe(1);
  one.close();
  other.close();
  rmSync(folder, { recursive: true });
});
