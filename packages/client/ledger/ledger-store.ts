import { createHash } from 'node:crypto';
import { OneLineError } from '@candleproof/files/usage-error';
import type { MonthLeft } from '../accounts/lend.ts';

/** The database of a ledger: SQLite for the processes of one machine, PostgreSQL for several machines. */
export type LedgerDatabase = {
  /** The SQL expression of its time in Unix ms. */
  readonly clock: string;
  /** The first three parameters of a statement, which it names in this order. */
  readonly parameters: readonly [string, string, string];
  /** Runs one statement, which is kept whole or not at all. @throws LedgerUnavailable */
  query(statement: string, values: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
};

/** Holds one row for each account, which is changed only if nobody else has changed it since it was read. */
export const ledgerTable = 'CREATE TABLE ledger_account (id text PRIMARY KEY, state text NOT NULL)';

/** Layouts of other numbers are refused. */
export const ledgerLayout = 5;

/**
 * The ledger cannot be used: it is read-only, damaged, of another layout, or its disk is full. The message names its
 * file or database. A command that may spend without a ledger continues without one.
 */
export class LedgerUnavailable extends OneLineError {
  override readonly name: string = 'LedgerUnavailable';
  override readonly remedy: string | undefined = 'CANDLEPROOF_STATE_DIR names another folder';
}

/** The ledger's database is unavailable at the moment, or refuses us, which only a mend changes. */
export class LedgerAway extends LedgerUnavailable {
  override readonly name = 'LedgerAway';
  override readonly remedy = undefined;
  readonly isRefused: boolean;

  constructor(message: string, options?: ErrorOptions & { readonly isRefused?: boolean }) {
    super(message, options);
    this.isRefused = options?.isRefused ?? false;
  }
}

/** A request beyond the reservation was refused: no request may leave without one. */
export class ReservationSpent extends Error {
  override readonly name = 'ReservationSpent';
}

/** A request was not sent, because the key's month, its reserve or the reservations of others leave none for it. */
export class MonthSpent extends OneLineError {
  override readonly name = 'MonthSpent';
  override readonly remedy = '--allow-overage, or allowOverage in code, sends it all the same';
  readonly left: MonthLeft;

  constructor(left: MonthLeft) {
    const { remaining, limit, reset, kept, reserved } = left;
    const others = [
      ...(kept > 0 ? [`${kept} are its reserve`] : []),
      ...(reserved > 0 ? [`${reserved} are reserved or under way`] : []),
    ];
    const month = [`${remaining} of ${limit} until ${nameInstant(reset)}`, ...others].join(', ');
    super(`a request was not sent, since the key's month leaves none for it: it has ${month}`);
    this.left = left;
  }
}

/** Returns an instant as text; a reset that is no time in ms stays the number that it is. */
function nameInstant(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}

/** Names a key at the origin of an address (scheme, host and port) so that no one can read it from the name. */
export function accountId(address: string, key: string): string {
  return createHash('sha256')
    .update(`${new URL(address).origin}\n${key}`)
    .digest('hex')
    .slice(0, 20);
}
