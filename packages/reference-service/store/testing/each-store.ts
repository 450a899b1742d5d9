import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as postgresTest } from '@candleproof/postgres/testing/postgres-test';
import { PostgresTrouble } from '@candleproof/postgres/trouble';
import { test as plainTest } from '@playwright/test';
import { openPostgresStore } from '../postgres/postgres-store.ts';
import { openStore } from '../sqlite/sqlite-store.ts';
import type { Store } from '../store.ts';

type WithStores = {
  /** Opens another store on the data of this test, as another process would. All are closed after the test. */
  readonly opened: () => Promise<Store>;
};

const sqlite = plainTest.extend<WithStores>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  opened: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'store-'));
    await withOpened(async () => openStore(folder), use);
    rmSync(folder, { recursive: true });
  },
});

const postgres = postgresTest.extend<WithStores>({
  opened: async ({ postgres }, use) =>
    withOpened(() => patiently(() => openPostgresStore(postgres.address)), use),
});

/** Opens a store; again if a busy machine took longer over a connection than the service would let a client wait. */
async function patiently(open: () => Promise<Store>, tries = 5): Promise<Store> {
  try {
    return await open();
  } catch (error) {
    if (tries === 1 || !(error instanceof PostgresTrouble)) throw error;
    return patiently(open, tries - 1);
  }
}

async function withOpened(
  open: () => Promise<Store>,
  use: (opened: WithStores['opened']) => Promise<void>,
): Promise<void> {
  const stores: Store[] = [];
  try {
    await use(async () => {
      const store = await open();
      stores.push(store);
      return store;
    });
  } finally {
    // A test may have closed a store itself.
    for (const opened of stores)
      await Promise.resolve(opened)
        .then((store) => store.close())
        .catch(() => {});
  }
}

/** Playwright's `test` for each kind of store, so that all tests run on both. */
export const EACH_STORE = [
  { kind: 'SQLite', test: sqlite },
  { kind: 'PostgreSQL', test: postgres },
] as const;
