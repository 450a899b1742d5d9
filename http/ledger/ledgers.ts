import { createHash } from 'node:crypto';
import type { PostgresAddress } from '../../postgres/address.ts';
import { KeyAccount } from './account.ts';
import { Bookings } from './bookings.ts';
import { type LeaseTimes, shortLease } from './postgres/lease.ts';
import { PostgresStore } from './postgres/postgres-store.ts';
import type { ReadQuota } from './reservation.ts';
import { lifeOfThisProcess, type ProcessNames } from './sqlite/life.ts';
import { SqliteStore } from './sqlite/sqlite-store.ts';

/** A file that the processes of one machine share, or a database for those of several. */
export type LedgerPlace = string | PostgresAddress;

export type LedgersOptions = {
  readonly readQuota: ReadQuota;
  /** Unix ms; the machine's clock where left out. */
  readonly now?: () => number;
  /** How processes are distinguished; this one where left out. */
  readonly life?: ProcessNames;
  /** Of a holder in a database. */
  readonly times?: LeaseTimes;
};

/**
 * The accounts of keys that all share who open the same file or database.
 * @throws LedgerUnavailable, as every call of what it gives back may, when it cannot be read and written
 */
export async function openLedgers(place: LedgerPlace, options: LedgersOptions): Promise<Ledgers> {
  const { readQuota, now, life = lifeOfThisProcess(), times = shortLease } = options;
  const store =
    typeof place === 'string'
      ? new SqliteStore(place, life, now ?? Date.now)
      : new PostgresStore(place, { holder: life.self, times, now });
  if (store instanceof PostgresStore) await store.lease.fence();
  const bookings = new Bookings(store);
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
