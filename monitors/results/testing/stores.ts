import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresAddress } from '@candleproof/postgres/address';
import { PostgresDatabase } from '@candleproof/postgres/postgres-database';
import { test as postgresTest } from '@candleproof/postgres/testing/postgres-test';
import { test as plainTest } from '@playwright/test';
import { openPostgresResults } from '../open-source.ts';
import type { ResultsStore, Retention } from '../results-store.ts';
import { openResults } from '../sqlite/open.ts';

/** Opens an empty store, and closes and removes it after its use. */
export type WithStore = (
  use: (store: ResultsStore) => Promise<void>,
  retention?: Partial<Retention>,
) => Promise<void>;

type Stores = { readonly withStore: WithStore };

/** Runs a test on a SQLite store in a temporary folder. */
export const withSqlite: WithStore = (use, retention) =>
  useFolder(async (folder) => {
    const store = await openResults(folder, retention);
    await use(store).finally(() => store.close());
  });

const sqlite = plainTest.extend<Stores>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  withStore: async ({}, use) => use(withSqlite),
});

let databases = 0;

const postgres = postgresTest.extend<Stores>({
  withStore: async ({ cluster }, use) => {
    const names: string[] = [];
    const free: PostgresAddress[] = [];
    const createAnother = (): Promise<PostgresAddress> => {
      names.push(`results_${process.pid}_${++databases}`);
      return cluster.createDatabase(names.at(-1) ?? '');
    };
    await use(async (work, retention) => {
      const address = free.pop() ?? (await createAnother());
      const store = await openPostgresResults(address, retention);
      await work(store).finally(() => store.close());
      await emptyDatabase(address);
      free.push(address);
    });
    for (const name of names) await cluster.dropDatabase(name);
  },
});

/** Laying all tables out anew would take most of a test's time. */
async function emptyDatabase(address: PostgresAddress): Promise<void> {
  const database = await PostgresDatabase.open(address, { most: 1 });
  await database.query(`DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'results' LOOP
      EXECUTE 'DELETE FROM results.' || name;
    END LOOP;
  END $$`);
  await database.close();
}

/** Playwright's `test` for each kind of store: every statement about the interface holds for each. */
export const kinds = [
  { name: 'SQLite', test: sqlite },
  { name: 'PostgreSQL', test: postgres },
] as const;

/** A folder that goes away with its use. */
export async function useFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'results-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
