import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from '@playwright/test';
import { KEY } from '../testing/targets.ts';
import { accountId, LedgerUnavailable } from './ledger-store.ts';
import { openLedgers } from './ledgers.ts';
import { sqliteTest as test } from './testing/ledger-test.ts';
import { quotaInBody } from './testing/quota-server.ts';
import { begin, id, spend } from './testing/spending.ts';

test('a place that cannot be written is reported by its name', async () => {
  const folder = test.info().outputPath();
  mkdirSync(folder, { recursive: true });
  const inTheWay = join(folder, 'file');
  writeFileSync(inTheWay, 'no database\n'.repeat(100));
  mkdirSync(join(folder, 'folder'));
  for (const file of [join(inTheWay, 'ledger.db'), inTheWay, join(folder, 'folder')]) {
    const opening = (): Promise<unknown> => openLedgers(file, { readQuota: quotaInBody });
    await expect(opening()).rejects.toBeInstanceOf(LedgerUnavailable);
    await expect(opening()).rejects.toThrow(file);
  }
});

test('a file of another layout is left as it is', async () => {
  const file = test.info().outputPath('ledger.db');
  mkdirSync(dirname(file), { recursive: true });
  const other = new DatabaseSync(file);
  other.exec('PRAGMA user_version = 4');
  other.close();
  await expect(openLedgers(file, { readQuota: quotaInBody })).rejects.toThrow(/layout 4.*name another file/);
});

test('no file of the folder holds the key, and none is open to others', async ({ place, folder }) => {
  const ledgers = await place.open(() => begin);
  await spend(ledgers.account(id), 10, 20);
  const state = join(folder, 'state');
  expect(statSync(state).mode & 0o777).toBe(0o700);
  const files = readdirSync(state);
  expect(files).toContain('ledger.db-wal');
  for (const file of files) {
    expect(statSync(join(state, file)).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(join(state, file)).toString('latin1');
    expect(bytes).not.toContain(KEY);
    expect(bytes).not.toContain(Buffer.from(KEY).toString('base64'));
  }
});

test('names of accounts differ by key and by origin', () => {
  const names = [
    ['https://a.example', 'k1'],
    ['https://a.example', 'k2'],
    ['https://b.example', 'k1'],
  ] as const;
  expect(new Set(names.map(([origin, key]) => accountId(origin, key))).size).toBe(3);
  expect(accountId('https://target.example:443/v1/', KEY)).toBe(accountId('https://target.example', KEY));
  expect(accountId('https://a.example', KEY)).toMatch(/^[0-9a-f]{20}$/);
});
