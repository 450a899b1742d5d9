import type { PostgresAddress } from '../../postgres/address.ts';
import { KeyAccount } from './account.ts';
import { Bookings, type Books } from './bookings.ts';
import { BlockFile } from './postgres/block-file.ts';
import { type LeaseTimes, longLease, shortLease } from './postgres/lease.ts';
import { LeasedBlocks } from './postgres/leased-blocks.ts';
import { LeasedBookings } from './postgres/leased-bookings.ts';
import { PostgresLedgerStore } from './postgres/postgres-store.ts';
import type { ReadQuota } from './reservation.ts';
import { lifeOfThisProcess, type ProcessNames } from './sqlite/life.ts';
import { SqliteLedgerStore } from './sqlite/sqlite-store.ts';

/** A file that the processes of one machine share, or a database for those of several. */
export type LedgerPlace = string | PostgresAddress;

export type LedgersOptions = {
  readonly readQuota: ReadQuota;
  /** Unix ms; the machine's clock where left out. */
  readonly now?: () => number;
  /** Names this process among others; usually by its number and its start. */
  readonly life?: ProcessNames;
  /** A holder that goes on while its database is unreachable keeps its block in this file, which no other process uses. */
  readonly blockFile?: string;
  /** Times of a lease in a database, if not the usual ones. */
  readonly times?: LeaseTimes;
};

/**
 * The accounts of keys, shared by all processes that open the same file or database.
 * @throws LedgerUnavailable, as every call of what it gives back may, when it cannot be read and written
 */
export async function openLedgers(place: LedgerPlace, options: LedgersOptions): Promise<Ledgers> {
  const { readQuota } = options;
  const bookings = typeof place === 'string' ? booksIn(place, options) : await booksAt(place, options);
  return {
    account: (id) => new KeyAccount({ bookings, readQuota }, id),
    close: () => bookings.close(),
  };
}

function booksIn(file: string, { life = lifeOfThisProcess(), now = Date.now }: LedgersOptions): Books {
  return new Bookings(new SqliteLedgerStore(file, life, now));
}

async function booksAt(
  address: PostgresAddress,
  { life = lifeOfThisProcess(), now, blockFile, times = blockFile ? longLease : shortLease }: LedgersOptions,
): Promise<Books> {
  const store = new PostgresLedgerStore(address, { holder: life.self, times, now });
  const bookings = new Bookings(store);
  try {
    if (blockFile !== undefined) {
      const file = new BlockFile(blockFile, address.place);
      const blocks = new LeasedBlocks(file, store.lease, now ?? Date.now);
      return await LeasedBookings.open(bookings, { lease: store.lease, blocks, leaseMs: times.leaseMs });
    }
    await store.lease.fence();
    return bookings;
  } catch (error) {
    await store.close().catch(() => undefined);
    throw error;
  }
}

export type Ledgers = {
  account(id: string): KeyAccount;
  /** Gives back all that is reserved; what is in flight counts as doubtful. */
  close(): Promise<void>;
};
