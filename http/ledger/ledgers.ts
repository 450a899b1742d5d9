import { createHash } from 'node:crypto';
import { KeyAccount } from './account.ts';
import { Bookings } from './bookings.ts';
import type { ReadQuota } from './reservation.ts';
import { lifeOfThisProcess, type ProcessNames } from './sqlite/life.ts';
import { SqliteStore } from './sqlite/sqlite-store.ts';

export type LedgersOptions = {
  readonly readQuota: ReadQuota;
  /** Unix ms; the machine's clock where left out. */
  readonly now?: () => number;
  /** How processes are distinguished; this one where left out. */
  readonly life?: ProcessNames;
};

/**
 * The accounts of keys that all processes of this machine share in one file.
 * @throws LedgerUnavailable, as every call of what it gives back may, when the file cannot be read and written
 */
export async function openLedgers(file: string, options: LedgersOptions): Promise<Ledgers> {
  const { readQuota, now = Date.now, life = lifeOfThisProcess() } = options;
  const bookings = new Bookings(new SqliteStore(file, life, now));
  return {
    account: (id) => new KeyAccount({ bookings, readQuota }, id),
    close: () => bookings.close(),
  };
}

export type Ledgers = {
  account(id: string): KeyAccount;
  /** Gives back all that is reserved; what is in flight counts as doubtful. */
  close(): Promise<void>;
};

/** Names a key at the origin of an address (scheme, host and port) so that nobody can read it from the name. */
export function accountId(address: string, key: string): string {
  return createHash('sha256')
    .update(`${new URL(address).origin}\n${key}`)
    .digest('hex')
    .slice(0, 20);
}
