import type { PostgresAddress } from '../../postgres/address.ts';
import { KeyAccount } from './account.ts';
import { Books, type WithoutLedger } from './books.ts';
import { openPostgresLedger } from './postgres-ledger.ts';
import type { Clerk, ReadQuota } from './reservation.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';

/** A file that the processes of one machine share, or a database that several machines share. */
export type LedgerPlace = string | PostgresAddress;

type LedgersOptions = {
  readonly readQuota: ReadQuota;
  /** Unix ms; the clock of the machine or the database by default. */
  readonly now?: () => number;
  /** Given for a holder that continues while its database is unreachable. */
  readonly without?: WithoutLedger | undefined;
};

export type Ledgers = {
  account(id: string): KeyAccount;
  /** Ends all reservations; requests in flight count as doubtful. @throws LedgerUnavailable */
  close(): Promise<void>;
};

/**
 * Opens the accounts of keys, which all processes that open the same file or database share.
 * @throws LedgerUnavailable if they cannot be read and written, as every later call may
 */
export async function openLedgers(place: LedgerPlace, options: LedgersOptions): Promise<Ledgers> {
  const { readQuota, now } = options;
  const database = typeof place === 'string' ? openSqliteLedger(place) : openPostgresLedger(place);
  const books = new Books(database, options);
  const clerk: Clerk = { books, readQuota, open: new Set(), now: now ?? Date.now };
  const close = async (): Promise<void> => {
    try {
      await Promise.all([...clerk.open].map((reservation) => reservation.end()));
    } finally {
      await books.close();
    }
  };
  try {
    await books.open();
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
  return { account: (id) => new KeyAccount(clerk, id), close };
}
