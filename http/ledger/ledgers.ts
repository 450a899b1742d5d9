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

/** A file that the processes of one machine share, or a database that several machines share. */
export type LedgerPlace = string | PostgresAddress;

export type LedgersOptions = {
  readonly readQuota: ReadQuota;
  /** Unix ms; the machine's clock by default. */
  readonly now?: () => number;
  /** Names this process among others; by default, by its number and its start. */
  readonly life?: ProcessNames;
  /** Keeps blocks for times when the database is unreachable; no other process may use this file. */
  readonly blockFile?: string;
  /** Times of a lease in a database; with a block file those of a monitor by default, otherwise those of a command. */
  readonly times?: LeaseTimes;
};

/**
 * Opens the accounts of keys, which all processes that open the same file or database share.
 * @throws LedgerUnavailable if they cannot be read and written, as every later call may
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
  /** Gives back all reservations; requests in flight count as doubtful. */
  close(): Promise<void>;
};
