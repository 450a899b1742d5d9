import { test as base } from '@playwright/test';
import type { PostgresAddress } from '../address.ts';
import { PostgresDatabase } from '../postgres-database.ts';
import { TestCluster } from './cluster.ts';
import { findPostgres } from './programs.ts';

/** A database that one test has to itself. */
export type TestDatabase = {
  /** Without a password. */
  readonly url: string;
  readonly address: PostgresAddress;
  /** Opened already, and closed after the test. */
  readonly database: PostgresDatabase;
};

type ForEachTest = {
  /** An empty database of the worker's server; if there is no PostgreSQL, the test is skipped. */
  readonly postgres: TestDatabase;
  /** The worker's server itself, for tests that kill it and start it again. */
  readonly cluster: TestCluster;
};

type ForEachWorker = {
  /** The worker's server, started for its first test that wants it; or why there is none. */
  readonly foundCluster: TestCluster | string;
};

let databases = 0;

/** Playwright's `test` with `postgres`, an empty database for each test, and `cluster`, the server that it lies on. */
export const test = base.extend<ForEachTest, ForEachWorker>({
  foundCluster: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      const programs = findPostgres();
      if (typeof programs === 'string') return use(programs);
      const cluster = new TestCluster(programs);
      try {
        await cluster.start();
        await use(cluster);
      } finally {
        await cluster.stop();
      }
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  cluster: async ({ foundCluster }, use, info) => {
    if (typeof foundCluster !== 'string') return use(foundCluster);
    info.skip(true, foundCluster);
  },
  postgres: async ({ cluster }, use) => {
    const name = `test_${process.pid}_${++databases}`;
    const address = await cluster.createDatabase(name);
    const database = await PostgresDatabase.open(address);
    try {
      await use({ url: cluster.urlOf(name), address, database });
    } finally {
      await database.close();
      await cluster.dropDatabase(name);
    }
  },
});
