import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { test as withPostgres } from '../../../postgres/testing/postgres-test.ts';
import { type LedgerPlace, type Ledgers, openLedgers } from '../ledgers.ts';
import { placeOf, quotaInBody } from './quota-server.ts';

type OpenOptions = {
  /** Unix ms. */
  readonly now?: () => number;
  /** Names the holder for `kill`. */
  readonly name?: string;
};

/** Ends the leases of the holder of this name, or of all. */
type End = (name?: string) => Promise<void>;

/** A separate ledger, and the holders that share it. */
export class TestLedger {
  /** The address to pass to another process. */
  readonly address: string;
  readonly #place: LedgerPlace;
  readonly #end: End;
  readonly #dead = new Set<string>();
  readonly #opened: Ledgers[] = [];

  constructor(address: string, end: End = async () => undefined) {
    this.address = address;
    this.#place = placeOf(address);
    this.#end = end;
  }

  /** Opens the ledger as another holder, which is closed after the test. */
  async open({ now = Date.now, name = 'a' }: OpenOptions = {}): Promise<Ledgers> {
    const life = { self: name, isAlive: (holder: string) => !this.#dead.has(holder) };
    const ledgers = await openLedgers(this.#place, { readQuota: quotaInBody, now, life });
    this.#opened.push(ledgers);
    return ledgers;
  }

  /** Names this process as the processes that a test starts name themselves. */
  openHere(): Promise<Ledgers> {
    return openLedgers(this.#place, { readQuota: quotaInBody });
  }

  /** Makes it appear that no process has the ledger open: killed processes are gone, and leases have ended. */
  outlive(): Promise<void> {
    return this.#end();
  }

  /** Makes the holder of a name disappear without closing anything. */
  async kill(name: string): Promise<void> {
    this.#dead.add(name);
    await this.#end(name);
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
    const place = new TestLedger(postgres.url, async (name) => {
      await postgres.database.query(
        'UPDATE ledger_lease SET ends = clock_timestamp() WHERE $1::text IS NULL OR holder = $1',
        [name ?? null],
      );
    });
    await use(place);
    await place.close();
  },
});

type LedgerTest = (title: string, body: (fixtures: { readonly place: TestLedger }) => Promise<void>) => void;

/** The stores on which the same tests run. */
export const everyStore: readonly (readonly ['SQLite' | 'PostgreSQL', LedgerTest])[] = [
  ['SQLite', sqliteTest],
  ['PostgreSQL', postgresTest],
];
