import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { SqliteStore } from './sqlite-store.ts';

const SOFT = { monthlyLimit: 5, hardCap: false };

test('only the exact text of an issued key is known', () => {
  const { keys } = new SqliteStore();
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

test('a key keeps what was agreed when it was issued', () => {
  const { keys } = new SqliteStore();
  const agreed = { monthlyLimit: 9, hardCap: true, burst: 4, shared: true, network: 'testnet' as const };
  expect(keys.known(keys.issue(agreed, { label: 'demo', now: 17 }))).toEqual({ key: 1, ...agreed });
  expect(keys.issued()).toEqual([{ key: 1, ...agreed, label: 'demo', issued: 17 }]);
});

test('a revoked key is unknown at once, to other processes in a moment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  const [one, other] = [new SqliteStore(folder), new SqliteStore(folder)];
  const text = one.keys.issue(SOFT);
  const key = other.keys.known(text)?.key ?? 0;
  expect(one.keys.known(text)?.key).toBe(key);
  expect([other.keys.revoke(key, 5), other.keys.revoke(key, 6), other.keys.revoke(99)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(other.keys.known(text)).toBeUndefined();
  await expect.poll(() => one.keys.known(text), { timeout: 1000 }).toBeUndefined();
  expect(one.keys.issued()).toMatchObject([{ key, revoked: 5 }]);
  for (const each of [one, other]) each.close();
  rmSync(folder, { recursive: true });
});
