import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { LedgerUnavailable } from '../ledger-store.ts';
import { openLedgers } from '../ledgers.ts';
import { quotaInBody } from '../testing/quota-server.ts';

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
  other.exec('PRAGMA user_version = 7');
  other.close();
  await expect(openLedgers(file, { readQuota: quotaInBody })).rejects.toThrow(/layout 7.*name another file/);
});
