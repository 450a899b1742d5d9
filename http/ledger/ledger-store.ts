import { createHash } from 'node:crypto';
import { OneLineError } from '../../files/usage-error.ts';
import type { LedgerEvent } from '../../planning/ledger-entry.ts';
import type { Booked, Ledger } from '../../planning/ledger-state.ts';

/** An event with its ascending number in the ledger. */
export type NumberedEvent = { readonly serial: number; readonly event: LedgerEvent };

/** The subject of a transaction, which reads nothing else. */
export type BookingSubject = {
  readonly account: string;
  readonly reservation?: number;
  readonly flight?: string;
  /** True to read the reservations and needs of the others too, as a grant requires. */
  readonly isGrant?: boolean;
};

/** An account as a transaction reads it. */
export type Kept = {
  /** Unix ms. */
  readonly now: number;
  readonly ledger: Ledger;
  /** Requests granted to all holders and not sent yet. */
  readonly reserved: number;
  /** Requests in blocks, which cannot be sent once the block's month is over. */
  readonly blocked: number;
  /** Requests left in the reservation: 0 without one, or once it is gone. */
  readonly left: number;
  /** False if the flight has been ended already. */
  readonly isUnderWay: boolean;
  /** The number of other members of the account, and their need in requests per ms. */
  readonly others: number;
  readonly othersPace: number;
};

/** The changes that a transaction writes. */
export type LedgerChange = {
  readonly booked?: Booked;
  /** Requests left in the subject's reservation; 0 removes it. */
  readonly left?: number;
  /** Requests of a new reservation. */
  readonly holds?: number;
  /** True if the new reservation is for times without the ledger: it counts as spent when its holder's lease ends. */
  readonly isBlock?: boolean;
  readonly takesOff?: string;
  /** True if the subject's flight has ended. */
  readonly lands?: boolean;
  /** The pace that this member needs from now on, in requests per ms. */
  readonly pace?: number;
};

export type Decision<T> = LedgerChange & { readonly result: T };

/**
 * Keeps accounts. Before each decision it settles vanished holders: it frees their reservations and marks their
 * flights doubtful. Every method may throw LedgerUnavailable.
 */
export type LedgerStore = {
  /** Writes the change that `decide` returns in one transaction; resolves to the new reservation's number too, or 0. */
  change<T>(
    subject: BookingSubject,
    decide: (kept: Kept) => Decision<T>,
  ): Promise<{ readonly result: T; readonly reservation: number }>;
  /** Resolves to events, oldest first; the oldest are dropped in time. */
  events(account: string, after: number): Promise<NumberedEvent[]>;
  /** Gives back this holder's reservations, and marks its flights doubtful. */
  close(): Promise<void>;
};

/**
 * The ledger cannot be used: it is read-only, damaged, of another layout, or its disk is full. The message names its
 * file or database. A command that may spend without a ledger continues without one.
 */
export class LedgerUnavailable extends OneLineError {
  override readonly name: string = 'LedgerUnavailable';
  override readonly remedy: string | undefined = 'CANDLEPROOF_STATE_DIR names another folder';
}

/** The ledger's database is unavailable at the moment, or refuses us. */
export class LedgerAway extends LedgerUnavailable {
  override readonly name = 'LedgerAway';
  override readonly remedy = undefined;
}

/** A request beyond the reservation was refused: no request may leave without one. */
export class ReservationSpent extends Error {
  override readonly name = 'ReservationSpent';
}

/** Names a key at the origin of an address (scheme, host and port) so that no one can read it from the name. */
export function accountId(address: string, key: string): string {
  return createHash('sha256')
    .update(`${new URL(address).origin}\n${key}`)
    .digest('hex')
    .slice(0, 20);
}
