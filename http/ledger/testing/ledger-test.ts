import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { type Ledgers, openLedgers } from '../ledgers.ts';
import { quotaInBody } from './quota-server.ts';

type OpenOptions = {
  /** Unix ms. */
  readonly now?: () => number;
  /** By which `kill` knows the holder. */
  readonly name?: string;
};

/** A ledger of a test's own, and who shares it. */
export class LedgerPlace {
  /** As another process has to be given it. */
  readonly address: string;
  readonly #dead = new Set<string>();
  readonly #opened: Ledgers[] = [];

  constructor(address: string) {
    this.address = address;
  }

  /** Another holder, closed after the test. */
  async open({ now = Date.now, name = 'a' }: OpenOptions = {}): Promise<Ledgers> {
    const life = { self: name, isAlive: (each: string) => !this.#dead.has(each) };
    const ledgers = await openLedgers(this.address, { readQuota: quotaInBody, now, life });
    this.#opened.push(ledgers);
    return ledgers;
  }

  /** This very process, as the processes that a test starts know themselves. */
  openHere(): Promise<Ledgers> {
    return openLedgers(this.address, { readQuota: quotaInBody });
  }

  /** Resolves once everybody can know that a process which was killed is gone. */
  async outlive(): Promise<void> {}

  /** The holder of a name is gone, and has closed nothing. */
  async kill(name: string): Promise<void> {
    this.#dead.add(name);
  }

  async close(): Promise<void> {
    for (const each of this.#opened) await each.close().catch(() => undefined);
  }
}

/** Playwright's `test` with `place`, an empty ledger for each test, in a file. */
export const sqliteTest = base.extend<{ place: LedgerPlace; folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from its pattern
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'candleproof-ledger-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  place: async ({ folder }, use) => {
    const place = new LedgerPlace(join(folder, 'state', 'ledger.db'));
    await use(place);
    await place.close();
  },
});
