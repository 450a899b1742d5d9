import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as withPostgres } from '@candleproof/postgres/testing/postgres-test';
import { test as base } from '@playwright/test';
import { type Ledgers, openLedgers } from '../ledgers.ts';
import { placeOf, quotaInBody } from './quota-server.ts';

/** A separate ledger, and the holders that share it. */
export class TestLedger {
  /** The address to pass to another process. */
  readonly address: string;
  readonly #opened: Ledgers[] = [];

  constructor(address: string) {
    this.address = address;
  }

  /** Opens the ledger as another holder, which is closed after the test; `now` in Unix ms. */
  async open(now: () => number = Date.now): Promise<Ledgers> {
    const ledgers = await openLedgers(placeOf(this.address), { readQuota: quotaInBody, now });
    this.#opened.push(ledgers);
    return ledgers;
  }

  async close(): Promise<void> {
    for (const ledgers of this.#opened) await ledgers.close().catch(() => undefined);
  }
}

/** Playwright's `test` with `place`, an empty ledger in a file for each test. */
export const sqliteTest = base.extend<{ place: TestLedger; folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from its pattern
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'candleproof-ledger-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  place: async ({ folder }, use) => {
    const place = new TestLedger(join(folder, 'state', 'ledger.db'));
    await use(place);
    await place.close();
  },
});

/** The same in a database; skipped if there is no PostgreSQL. */
export const postgresTest = withPostgres.extend<{ place: TestLedger }>({
  place: async ({ postgres }, use) => {
    const place = new TestLedger(postgres.url);
    await use(place);
    await place.close();
  },
});

type LedgerTest = (title: string, body: (fixtures: { readonly place: TestLedger }) => Promise<void>) => void;

/** The databases on which the same tests run. */
export const everyDatabase: readonly (readonly ['SQLite' | 'PostgreSQL', LedgerTest])[] = [
  ['SQLite', sqliteTest],
  ['PostgreSQL', postgresTest],
];
