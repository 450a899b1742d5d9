import type { PostgresAddress } from '@candleproof/postgres/address';
import { openLaidOut } from '@candleproof/postgres/lay-out';
import type { PostgresDatabase } from '@candleproof/postgres/postgres-database';
import { PostgresTrouble } from '@candleproof/postgres/trouble';
import { KeyAccount } from './account.ts';
import type { ReadQuota } from './answer-bound.ts';
import { Books, type WithoutLedger } from './books.ts';
import { LedgerAway, type LedgerDatabase, ledgerLayout, ledgerTable } from './ledger-store.ts';
import type { BookingContext } from './reservation.ts';
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
  const context: BookingContext = { books, readQuota, open: new Set(), now: now ?? Date.now };
  const close = async (): Promise<void> => {
    try {
      await Promise.all([...context.open].map((reservation) => reservation.end()));
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
  return { account: (id) => new KeyAccount(context, id), close };
}

const options = { name: 'candleproof ledger', most: 4, connectMs: 3000, statementMs: 5000 };

/** Opens the ledger of several machines; connects with the first statement, and again after a failure. */
function openPostgresLedger(address: PostgresAddress): LedgerDatabase {
  let opened: Promise<PostgresDatabase> | undefined;
  const open = (): Promise<PostgresDatabase> => {
    const layout = { name: 'ledger', number: ledgerLayout, tables: ledgerTable };
    opened ??= openLaidOut(address, layout, options).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    clock: 'extract(epoch FROM clock_timestamp())::float8 * 1000',
    parameters: ['$1', '$2', '$3'],
    async query(statement, values) {
      try {
        const database = await open();
        return await database.query({ name: statement.slice(0, 40), text: statement }, values);
      } catch (error) {
        throw explainError(error, address.place);
      }
    },
    async close() {
      const database = await opened?.catch(() => undefined);
      await database?.close();
    },
  };
}

function explainError(error: unknown, place: string): unknown {
  if (error instanceof PostgresTrouble)
    return new LedgerAway(error.message, { cause: error, isRefused: error.kind === 'refused' });
  if (!(error instanceof Error) || !('code' in error) || !/^[0-9A-Z]{5}$/.test(String(error.code)))
    return error;
  const message = `PostgreSQL at ${place}: the ledger cannot be kept here: ${error.message}`;
  return new LedgerAway(message, { cause: error });
}
